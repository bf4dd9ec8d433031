import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { answered, client } from '../api/client.js';
import { problemAt } from '../api/refused.js';
import { Problem } from '../ui/problem.js';
import { useUnsaved } from '../ui/unsaved.js';

/** Tells the agent of a live call something that the other side does not hear. */
export function Whisper({ callId }: { readonly callId: string }) {
  const [text, setText] = useState('');
  const [now, setNow] = useState(false);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () =>
      answered(client.POST('/v1/calls/{callId}/whisper', { params: { path: { callId } }, body: { text, now } })),
    onSuccess: () => setText(''),
  });
  useUnsaved(text !== '');
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Textarea
          label="Tell the agent"
          description="The other side does not hear it. The agent follows it until the call ends"
          placeholder="Offer the appointment on Friday at ten."
          autosize={false}
          rows={2}
          value={text}
          error={problemAt(error, 'text')}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Checkbox
          label="At once, even while the other side is speaking"
          checked={now}
          onChange={(event) => setNow(event.currentTarget.checked)}
        />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={isPending}>
            Tell it
          </Button>
          {isSuccess && text === '' && (
            <Text size="sm" role="status">
              The agent was told.
            </Text>
          )}
        </Group>
        <Problem error={error} title="The agent was not told" shownAtFields={['text']} />
      </Stack>
    </form>
  );
}
