import { Button, Group, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { closeSession } from '../session/session.js';
import { Status } from '../ui/status.js';
import { isAnythingUnsaved } from '../ui/unsaved.js';
import { LeaveQuestion } from './leaving.js';
import classes from './own.module.css';

const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const named = { auto: 'system', light: 'light', dark: 'dark' } as const;

/** What belongs to the person: the account, the colours, and the way out. */
export function Own({ name, mayOperate }: { readonly name: string; readonly mayOperate: boolean }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [isAsked, { open, close }] = useDisclosure(false);
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
      <Button variant="default" size="compact-sm" onClick={() => (isAnythingUnsaved() ? open() : closeSession())}>
        Sign out
      </Button>
      <LeaveQuestion opened={isAsked} onStay={close} onLeave={() => closeSession()} />
    </Group>
  );
}
