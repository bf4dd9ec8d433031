import { Button, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { contentOf } from '../api/download.js';
import type { Schemas } from '../api/client.js';
import { Problem } from '../ui/problem.js';
import { Time } from '../ui/time.js';
import { linesOf } from './transcript.js';
import classes from './conversation.module.css';

type Call = Schemas['CallDetail'];

/** When the recording begins: with the last answer. In milliseconds since 1970; null: it was never answered. */
function beganAt({ timelog }: Call): number | null {
  const answer = timelog.findLast(({ status }) => status === 'answered');
  return answer === undefined ? null : Date.parse(answer.timestamp);
}

/** What was said, and its recording: a line of the transcript leads to its place in the sound. */
export function Conversation({ call }: { readonly call: Call }) {
  const player = useRef<HTMLAudioElement>(null);
  const [sound, setSound] = useState<string | null>(null);
  const loading = useMutation({
    mutationFn: () => contentOf(`/v2/sip/call/${encodeURIComponent(call.id)}/recording`),
    onSuccess: (blob) => setSound(URL.createObjectURL(blob)),
  });
  useEffect(
    () => () => {
      if (sound !== null) URL.revokeObjectURL(sound);
    },
    [sound],
  );
  const began = beganAt(call);
  const seek = (at: string) => {
    if (player.current === null || began === null) return;
    player.current.currentTime = Math.max(0, (Date.parse(at) - began) / 1_000);
    void player.current.play();
  };
  const transcript = linesOf(call.transcript);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="conversation">
      <Title order={2} size="h4" id="conversation" mb="xs">
        Conversation
      </Title>
      <Stack gap="sm">
        {call.recordingUrl !== undefined && sound === null && (
          <Button variant="default" w="fit-content" loading={loading.isPending} onClick={() => loading.mutate()}>
            Listen to the recording
          </Button>
        )}
        <Problem error={loading.error} title="The recording cannot be played" />
        {sound !== null && <audio ref={player} controls src={sound} className={classes.player} />}
        {transcript.length === 0 && <Text c="dimmed">Nothing was said, or no transcript was kept.</Text>}
        {transcript.length > 0 && (
          <ol className={classes.lines} aria-label="Transcript">
            {transcript.map(({ speaker, text, at }, index) => (
              <li key={index} className={speaker === 'agent' ? classes.agent : classes.callee}>
                <Text size="xs" c="dimmed">
                  {speaker}
                  {at !== null && (
                    <>
                      {' · '}
                      <Time at={at} />
                    </>
                  )}
                </Text>
                {sound === null || at === null ? (
                  text
                ) : (
                  <UnstyledButton className={classes.seek ?? ''} onClick={() => seek(at)} title="Listen from here">
                    {text}
                  </UnstyledButton>
                )}
              </li>
            ))}
          </ol>
        )}
      </Stack>
    </Paper>
  );
}
