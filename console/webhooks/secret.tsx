import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { useKey } from '../ui/key.js';
import { Problem } from '../ui/problem.js';
import { Time } from '../ui/time.js';

/** The secret that signs all webhooks of the account: shown when asked for, and replaced. */
export function Secret() {
  const { keyFor, renew } = useKey();
  const [shown, setShown] = useState<Schemas['WebhookSecret'] | null>(null);
  const showing = useMutation({
    mutationFn: () => answered(client.GET('/v1/account/webhook-secret')),
    onSuccess: setShown,
  });
  const rotate = async () => {
    const params = { header: { 'idempotency-key': keyFor('rotate') } };
    setShown(await answered(client.POST('/v1/account/webhook-secret/rotate', { params, body: {} })));
    renew();
  };
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="secret">
      <Title order={2} size="h4" id="secret" mb="xs">
        Signing secret
      </Title>
      <Stack gap="sm">
        <Text size="sm">
          All webhooks are signed with it, those of batch calls too (Standard Webhooks). Give it only to receivers.
        </Text>
        <Problem error={showing.error} title="It cannot be shown" />
        {shown !== null && (
          <div role="status">
            <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
              {shown.secret}
            </Code>
            {shown.previousSecret !== undefined && (
              <Text size="sm" mt="xs">
                The previous one also signs until <Time at={shown.previousValidUntil} />.
              </Text>
            )}
          </div>
        )}
        <Group gap="xs">
          {shown === null ? (
            <Button size="xs" variant="default" loading={showing.isPending} onClick={() => showing.mutate()}>
              Show the secret
            </Button>
          ) : (
            <Button size="xs" variant="default" onClick={() => setShown(null)}>
              Hide the secret
            </Button>
          )}
          <Ask
            label="Rotate the secret"
            title="Rotate the signing secret?"
            action="Rotate the secret"
            typed="rotate"
            isDangerous
            onConfirm={rotate}
          >
            For 24 hours, webhooks are signed with both the new secret and this one, so that receivers may know either.
            A secret that was replaced earlier stops at once.
          </Ask>
        </Group>
      </Stack>
    </Paper>
  );
}
