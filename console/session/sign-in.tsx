import { Alert, Button, Code, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Brand } from '../ui/brand.js';
import { openSession } from './session.js';
import classes from './sign-in.module.css';

/** @param words why the last token was not taken, or why the session has ended */
export function SignIn({ words }: { readonly words: string | null }) {
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = token.trim();
    setMissing(sent === '');
    if (sent !== '') void openSession(sent);
  };
  return (
    <main className={classes.page} id="main">
      <Paper className={classes.card ?? ''} withBorder radius="md" p="xl">
        <form onSubmit={submit} noValidate>
          <Stack>
            <Brand />
            <Title order={1} size="h2">
              Sign in
            </Title>
            {words !== null && (
              <Alert color="red" role="alert" title="Not signed in">
                {words}
              </Alert>
            )}
            <PasswordInput
              label="API token"
              description="It is kept in this tab alone, until the tab is closed."
              autoComplete="off"
              autoFocus
              value={token}
              error={missing ? 'Paste a token.' : undefined}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
              onChange={(event) => setToken(event.currentTarget.value)}
            />
            <Button type="submit">Sign in</Button>
            <Text size="sm" c="dimmed">
              <Code>outdial up</Code> prints an address that signs in by itself, once; <Code>outdial console</Code>{' '}
              prints another one. On other installations the operator makes a token with{' '}
              <Code>outdial token issue</Code>.
            </Text>
          </Stack>
        </form>
      </Paper>
    </main>
  );
}
