import { Alert, Button, Code, Paper, Stack, Text, Title } from '@mantine/core';
import { Brand } from '../ui/brand.js';
import { openSession } from './session.js';
import classes from './sign-in.module.css';
import { useTokenField } from './token-field.js';

/** @param words why the last token was not taken, or why the session has ended */
export function SignIn({ words }: { readonly words: string | null }) {
  const { field, submit } = useTokenField((token) => void openSession(token));
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
            {field}
            <Button type="submit">Sign in</Button>
            <Text size="sm" c="dimmed">
              <Code>outdial up</Code> prints an address that signs you in once; <Code>outdial console</Code> prints
              another one. On other installations the operator makes a token with <Code>outdial token issue</Code>.
            </Text>
          </Stack>
        </form>
      </Paper>
    </main>
  );
}
