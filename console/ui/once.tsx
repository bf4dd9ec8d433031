import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';
import { useUnsaved } from './unsaved.js';

interface OneSecret {
  readonly name: string;
  readonly value: string;
}

interface Props {
  readonly title: string;
  readonly words: string;
  readonly secrets: readonly OneSecret[];
  readonly onClose: () => void;
}

const onAllParts = () => true;
const lost = 'What this page shows is not shown again: it is lost unless you have stored it.';

/** One secret. `onCopied` is called once the clipboard has it: a browser may refuse. */
function Copied({ name, value, onCopied }: OneSecret & { readonly onCopied: (name: string) => void }) {
  const { copied, copy } = useClipboard();
  useEffect(() => {
    if (copied) onCopied(name);
  }, [copied, name, onCopied]);
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {name}
      </Text>
      <Group gap="xs" align="start" wrap="nowrap">
        <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', flex: 1 }}>
          {value}
        </Code>
        <Button size="xs" variant="default" aria-label={`Copy: ${name}`} onClick={() => copy(value)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </Group>
    </div>
  );
}

/** Secrets that are shown only once. The console asks before they are left, until each has been copied or is said to be kept. */
export function Once({ title, words, secrets, onClose }: Props) {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const keep = useCallback((name: string) => setKept((before) => new Set([...before, name])), []);
  useUnsaved(!secrets.every(({ name }) => kept.has(name)), onAllParts, lost);
  return (
    <Alert color="yellow" role="alert" title={title}>
      <Stack gap="sm">
        <Text size="sm">{words}</Text>
        {secrets.map((secret) => (
          <Copied key={secret.value} {...secret} onCopied={keep} />
        ))}
        <Group justify="flex-end">
          <Button size="xs" onClick={onClose}>
            I have stored them
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
