import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

interface Props {
  readonly title: string;
  readonly words: string;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  readonly onClose: () => void;
}

/** Secrets that are shown this once, to be copied. */
export const Once = ({ title, words, secrets, onClose }: Props) => (
  <Alert color="yellow" role="alert" title={title} withCloseButton closeButtonLabel="I have kept it" onClose={onClose}>
    <Stack gap="sm">
      <Text size="sm">{words}</Text>
      {secrets.map(({ name, value }) => (
        <div key={name}>
          <Text size="sm" fw={600} mb={4}>
            {name}
          </Text>
          <Group gap="xs" align="start" wrap="nowrap">
            <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', flex: 1 }}>
              {value}
            </Code>
            <CopyButton value={value}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" aria-label={`Copy: ${name}`} onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        </div>
      ))}
    </Stack>
  </Alert>
);
