import { Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answered, client } from '../api/client.js';
import { Ask } from '../ui/ask.js';

/** Has one token refused from now on, such as one that was seen by somebody else. */
export function RevokeToken() {
  const [token, setToken] = useState('');
  return (
    <Ask
      label="Revoke a token"
      title="Revoke one token?"
      action="Revoke this token"
      typed="revoke"
      isDangerous
      onOpen={() => setToken('')}
      onConfirm={() => answered(client.POST('/v1/account/tokens/revoke', { body: { token: token.trim() } }))}
    >
      <Stack gap="sm">
        <Text size="sm">It is refused everywhere from then on. Other tokens of the same key still work.</Text>
        <Textarea
          label="The whole token"
          autosize={false}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
      </Stack>
    </Ask>
  );
}
