import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../api/client.js';
import { addToDoNotCall } from '../api/people.js';
import { useMayOperate } from '../session/session.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { Time } from '../ui/time.js';
import { RemoveEntry } from './remove.js';

interface Props {
  readonly phoneNumber: string;
  /** Its entry on the list; undefined: it has none. */
  readonly entry: Schemas['DoNotCallEntry'] | undefined;
}

/** Whether a number is on the do-not-call list, and the way onto it or off it. */
export function ListEntry({ phoneNumber, entry }: Props) {
  const mayOperate = useMayOperate();
  const [reason, setReason] = useState('');
  const { keyFor, renew } = useKey();
  if (entry !== undefined) {
    return (
      <>
        <Text>
          On the list since <Time at={entry.createdAt} />
          {entry.reason === undefined ? '' : `: ${entry.reason}`}
        </Text>
        {mayOperate && <RemoveEntry phoneNumber={phoneNumber} />}
      </>
    );
  }
  const add = async () => {
    await addToDoNotCall([phoneNumber], reason.trim(), keyFor(`${phoneNumber} ${reason}`));
    renew();
  };
  return (
    <>
      <Text>It is not on the do-not-call list.</Text>
      {mayOperate && (
        <Ask
          label="Put it on the list"
          title={`Never call ${phoneNumber}?`}
          action="Put it on the list"
          onConfirm={add}
        >
          <Stack gap="sm">
            <TextInput
              label="Reason, for readers of the list"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Text size="sm">
              No call to it is started from now on. Calls that wait end as failed; one that is live goes on.
            </Text>
          </Stack>
        </Ask>
      )}
    </>
  );
}
