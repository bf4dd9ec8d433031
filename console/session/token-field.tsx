import { PasswordInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';

/** A field for a token, with what is wrong with it. @param onToken gets what was pasted, without blanks around it */
export function useTokenField(onToken: (token: string) => void) {
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const sent = token.trim();
    setMissing(sent === '');
    if (sent !== '') onToken(sent);
  };
  const field = (
    <PasswordInput
      label="API token"
      description="It is kept in this tab only, until the tab is closed."
      autoComplete="off"
      autoFocus
      data-autofocus
      value={token}
      error={missing ? 'Paste a token.' : undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
      onChange={(event) => setToken(event.currentTarget.value)}
    />
  );
  return { field, submit };
}
