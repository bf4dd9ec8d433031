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
          label="Add to the list"
          title={`Add ${phoneNumber} to the do-not-call list?`}
          action="Add to the list"
          onConfirm={add}
        >
          <Stack gap="sm">
            <TextInput
              label="Reason"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Text size="sm">It is not called from now on. Waiting calls end as failed; a live one goes on.</Text>
          </Stack>
        </Ask>
      )}
    </>
  );
}
