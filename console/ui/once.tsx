import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useUnsaved } from './unsaved.js';

interface Props {
  readonly title: string;
  readonly words: string;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  readonly onClose: () => void;
}

const onAllParts = () => true;
const lost = 'What is shown on this page once is not shown again, and is lost if you have not kept it.';

/** Secrets that are shown this once, until whoever copies them says so: leaving the page before asks. */
export function Once({ title, words, secrets, onClose }: Props) {
  useUnsaved(true, onAllParts, lost);
  return (
    <Alert color="yellow" role="alert" title={title}>
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
        <Group justify="flex-end">
          <Button size="xs" onClick={onClose}>
            I have kept them
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
