import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Dialog } from './dialog.js';
import { Problem } from './problem.js';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, in sentences, and fields if there is something to choose. */
  readonly children: ReactNode;
  /** What the button says, such as `Cancel this batch call`. */
  readonly action: string;
  /** What has to be typed first; omitted: nothing. Whatever cannot be taken back has one. */
  readonly typed?: string;
  readonly isDangerous?: boolean;
  /** Does it. Rejects with what the API says; otherwise everything on the page is read again. */
  readonly onConfirm: () => Promise<unknown>;
}

/** Asks before something is done, says what it will do, and shows what the API says if it refuses. */
export function Confirm({ opened, onClose, title, children, action, typed, isDangerous = false, onConfirm }: Props) {
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const doing = useMutation({
    mutationFn: onConfirm,
    onSuccess: async () => {
      close();
      await queries.invalidateQueries();
    },
  });
  const close = () => {
    setText('');
    doing.reset();
    onClose();
  };
  const isTyped = typed === undefined || text.trim().toLowerCase() === typed.toLowerCase();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isTyped && !doing.isPending) doing.mutate();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack>
          {typeof children === 'string' ? <Text>{children}</Text> : children}
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              autoComplete="off"
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          )}
          <Problem error={doing.error} title="Nothing was done" />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Back
            </Button>
            <Button
              type="submit"
              {...(isDangerous ? { color: 'red' } : {})}
              disabled={!isTyped}
              loading={doing.isPending}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
