import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answered, client } from '../api/client.js';
import { Refused } from '../api/refused.js';
import { Problem } from '../ui/problem.js';
import type { Listening } from './live-room.js';

type State = 'silent' | 'listening' | 'over';

const words: Readonly<Record<State, string>> = {
  silent: 'No one in the call will see or hear you. The audit log records that you listened.',
  listening: 'You hear the call. No one in it sees or hears you.',
  over: 'The sound has ended: the call is over, or the connection to LiveKit was lost.',
};

const unreachable =
  'LiveKit could not be reached from this browser. Check OUTDIAL_LIVEKIT_URL, or OUTDIAL_LIVEKIT_PUBLIC_URL if browsers need another address.';

/** Plays what is said in a live call, until somebody stops it, leaves the page, or the call is over. */
export function Listen({ callId }: { readonly callId: string }) {
  const [state, setState] = useState<State>('silent');
  const [isHeldBack, setHeldBack] = useState(false);
  const listening = useRef<Listening | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      void listening.current?.leave();
    };
  }, []);
  const end = (next: State) => {
    listening.current = null;
    setHeldBack(false);
    setState(next);
  };
  const starting = useMutation({
    mutationFn: async () => {
      const [{ listenIn }, place] = await Promise.all([
        import('./live-room.js'),
        answered(client.POST('/v1/calls/{callId}/listen', { params: { path: { callId } } })),
      ]);
      return listenIn(place, {
        onHeldBack: setHeldBack,
        onEnd: () => end('over'),
      }).catch(() => {
        throw new Refused(0, unreachable);
      });
    },
    onSuccess: (place) => {
      // Somebody who has left this page meanwhile does not listen on.
      if (isGone.current) return void place.leave();
      listening.current = place;
      setState('listening');
    },
  });
  const stop = () => {
    void listening.current?.leave();
    end('silent');
  };
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {words[state]}
      </Text>
      <Group gap="xs">
        {state === 'listening' ? (
          <Button variant="default" onClick={stop}>
            Stop listening
          </Button>
        ) : (
          <Button loading={starting.isPending} onClick={() => starting.mutate()}>
            Listen
          </Button>
        )}
        {isHeldBack && (
          <Button variant="default" onClick={() => void listening.current?.play()}>
            Play the sound
          </Button>
        )}
      </Group>
      <Problem error={starting.error} title="You cannot listen to this call" />
    </Stack>
  );
}
