import { Alert, Button, Checkbox, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { guardrailsQuery } from '../api/queries.js';
import { Confirm } from '../ui/confirm.js';
import { counted } from '../ui/words.js';

/** What was live and running when dialing was stopped. */
interface Done {
  readonly batches: number;
  readonly calls: number;
  readonly hungUp: boolean;
}

const saidOf = ({ batches, calls, hungUp }: Done): string => {
  const held = `${counted(batches, 'running batch call is', 'running batch calls are')} held.`;
  if (calls === 0) return `Dialing is stopped. ${held} No call was live.`;
  const live = counted(calls, 'live call');
  return `Dialing is stopped. ${held} ${hungUp ? `${live} ${calls === 1 ? 'is' : 'are'} being hung up.` : `${live} ${calls === 1 ? 'goes' : 'go'} on to ${calls === 1 ? 'its' : 'their'} end.`}`;
};

/** The button that stops all dialing of the account. It says what it will do before, and what it did after. */
export function StopDialing({ overview }: { readonly overview: Schemas['Overview'] | undefined }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [hangUp, setHangUp] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  const { data: guardrails } = useQuery(guardrailsQuery);
  if (guardrails?.dialingStopped === true) {
    return done === null ? null : (
      <Alert color="gray" role="status" p="xs">
        {saidOf(done)}
      </Alert>
    );
  }
  const calls = overview?.liveCalls.total ?? 0;
  const batches = overview?.batches.running ?? 0;
  const stop = async () => {
    await answered(client.POST('/v1/account/stop-dialing', { body: { hangUp } }));
    setDone({ batches, calls, hungUp: hangUp });
  };
  return (
    <>
      <Button color="red" onClick={open}>
        Stop all dialing
      </Button>
      <Confirm
        opened={opened}
        onClose={close}
        title="Stop all dialing?"
        action="Stop all dialing"
        typed="stop"
        isDangerous
        onConfirm={stop}
      >
        <Stack gap="xs">
          <Text>As soon as this is answered:</Text>
          <List size="sm">
            <List.Item>nothing of the account is dialed, neither batch calls nor single ones;</List.Item>
            <List.Item>
              {counted(batches, 'running batch call stays', 'running batch calls stay')} as far as they are;
            </List.Item>
            <List.Item>
              {counted(calls, 'live call')}{' '}
              {hangUp ? (calls === 1 ? 'is hung up' : 'are hung up') : calls === 1 ? 'goes on' : 'go on'};
            </List.Item>
            <List.Item>no attempt is used up, and “Resume all dialing” goes on from here.</List.Item>
          </List>
          <Checkbox
            label="Hang up live calls, too"
            checked={hangUp}
            onChange={(event) => setHangUp(event.currentTarget.checked)}
          />
        </Stack>
      </Confirm>
    </>
  );
}
