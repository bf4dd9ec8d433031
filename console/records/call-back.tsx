import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answered, client } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { MomentField } from '../ui/moment.js';
import { instantOf, momentField } from '../ui/moment-values.js';
import type { RecordProps } from './props.js';

const hourMs = 3_600_000;

/** What becomes of the plan of retries, by the status of the record. */
const words: Readonly<Record<string, string>> = {
  retrying: 'It replaces the planned retry.',
  dialing: 'The live call goes on.',
  'in-progress': 'The live call goes on.',
};

/** Has a recipient called at a time that they have named. */
export function CallBack({ batch, record }: RecordProps) {
  const { phoneNumber, recordId, status, callback, nextAttemptAt } = record;
  const [at, setAt] = useState('');
  const { keyFor, renew } = useKey();
  const promised = callback === true && nextAttemptAt !== undefined ? new Date(nextAttemptAt) : null;
  const promise = async () => {
    const path = { batchId: batch.batchId, recordId };
    const body = { at: instantOf(at) };
    const params = { path, header: { 'idempotency-key': keyFor(`${recordId} ${body.at}`) } };
    await answered(client.POST('/v1/batch-calls/{batchId}/records/{recordId}/callback', { params, body }));
    renew();
  };
  return (
    <Ask
      label={promised === null ? 'Call at …' : 'Move'}
      hint={phoneNumber}
      size="compact-xs"
      title={promised === null ? `Call ${phoneNumber} at a certain time` : `Move the call to ${phoneNumber}`}
      action="Promise this call"
      onOpen={() => setAt(momentField(promised ?? new Date(Date.now() + hourMs)))}
      onConfirm={promise}
    >
      <Stack gap="sm">
        <MomentField label="Call at" value={at} zone={batch.timezone} onChange={setAt} />
        <Text size="sm">
          One attempt is made then, outside the plan of retries. {words[status]} Calling window, guardrails and
          do-not-call list hold, and the batch call does not end before it.
        </Text>
      </Stack>
    </Ask>
  );
}
