import { Button, Group, Text, useMantineColorScheme } from '@mantine/core';
import { closeSession } from '../session/session.js';
import { Status } from '../ui/status.js';
import classes from './own.module.css';

const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const named = { auto: 'system', light: 'light', dark: 'dark' } as const;

/** What belongs to the person: the account, the colours, and the way out. */
export function Own({ name, mayOperate }: { readonly name: string; readonly mayOperate: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" truncate className={classes.name ?? ''} title={name}>
        {name}
      </Text>
      {!mayOperate && <Status status="read only" />}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Colours: ${named[colorScheme]}. Change to ${named[next[colorScheme]]}`}
        onClick={() => setColorScheme(next[colorScheme])}
      >
        {colorScheme === 'dark' ? '☾' : colorScheme === 'light' ? '☀' : '◐'}
      </Button>
      <Button variant="default" size="compact-sm" onClick={() => closeSession()}>
        Sign out
      </Button>
    </Group>
  );
}
