import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { closeSession, continueSession } from './session.js';
import { useTokenField } from './token-field.js';

/** Above every other dialog, with what was typed in it. */
const zIndex = 400;
const stays = () => undefined;

/**
 * Asks for another token over a page with something typed on it, which stays as it is.
 *
 * @param words why the token before is refused
 */
export function SignInAgain({ words }: { readonly words: string }) {
  const going = useMutation({ mutationFn: continueSession });
  const { field, submit } = useTokenField((token) => going.mutate(token));
  const problem = going.data ?? null;
  return (
    <Modal.Root opened onClose={stays} closeOnEscape={false} closeOnClickOutside={false} centered zIndex={zIndex}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Title fw={600} p="md" pb="xs">
          Sign in to go on
        </Modal.Title>
        <Modal.Body>
          <form onSubmit={submit} noValidate>
            <Stack>
              <Text size="sm">{words} What you have typed is still here. Sign in again, then send it once more.</Text>
              {problem !== null && !going.isPending && (
                <Alert color="red" role="alert" title="Not signed in">
                  {problem}
                </Alert>
              )}
              {field}
              <Group justify="flex-end">
                <Button variant="default" onClick={() => closeSession()}>
                  Sign out and lose it
                </Button>
                <Button type="submit" loading={going.isPending}>
                  Sign in
                </Button>
              </Group>
            </Stack>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
