import { Stack, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { useMayListen } from '../session/session.js';
import { Part } from '../ui/part.js';
import { Listen } from './listen.js';
import { Whisper } from './whisper.js';

const live = ['ringing', 'answered'];

/** What a supervisor can do while the call goes on: hear it, and tell its agent something. */
export function Live({ call: { id, status, simulated } }: { readonly call: Schemas['CallDetail'] }) {
  const mayListen = useMayListen();
  if (!mayListen || !live.includes(status)) return null;
  return (
    <Part id="live" title="Live">
      {simulated ? (
        <Text size="sm">A simulated call has no sound: only a call of a real carrier can be heard.</Text>
      ) : (
        <Stack gap="lg">
          <Listen callId={id} />
          <Whisper callId={id} />
        </Stack>
      )}
    </Part>
  );
}
