import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.js';
import { isAnythingUnsaved, useAnythingUnsaved, wordsOfUnsaved, wouldLose } from '../ui/unsaved.js';

interface Props {
  readonly opened: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks whether to leave what was typed. */
export const LeaveQuestion = ({ opened, onStay, onLeave }: Props) => (
  <Dialog opened={opened} onClose={onStay} title="Leave without saving?" isOver>
    <Stack>
      <Text>{opened && wordsOfUnsaved()}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onStay}>
          Stay
        </Button>
        <Button color="red" onClick={onLeave}>
          Leave
        </Button>
      </Group>
    </Stack>
  </Dialog>
);

/** Asks before a page with something typed is left, by a link or by the browser’s buttons; for the tab the browser asks itself. */
export function Leaving() {
  const isUnsaved = useAnythingUnsaved();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: asks,
    enableBeforeUnload: isAnythingUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  return <LeaveQuestion opened={status === 'blocked'} onStay={() => reset?.()} onLeave={() => proceed?.()} />;
}

type Places = Parameters<typeof wouldLose>;
const asks = ({ current, next }: { readonly current: Places[0]; readonly next: Places[1] }) => wouldLose(current, next);
