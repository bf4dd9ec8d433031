import { List, Stack, Text } from '@mantine/core';
import { answered, client, type Schemas } from '../api/client.js';
import { Ask } from '../ui/ask.js';
import { counted } from '../ui/words.js';

interface Props {
  readonly person: Schemas['Contact'];
  /** Called with what was done, in the words of the API. */
  readonly onErased: (words: string) => void;
}

/** Erases a number and everything that is kept under it, after it was typed. */
export function Erase({ person: { phoneNumber, pageInfo, batches, rejectedRows }, onErased }: Props) {
  const erase = async () => {
    const { message } = await answered(
      client.DELETE('/v1/contacts/{e164}', { params: { path: { e164: phoneNumber } } }),
    );
    onErased(message);
  };
  return (
    <Ask
      label="Erase"
      title={`Erase ${phoneNumber}?`}
      action="Erase for good"
      typed={phoneNumber}
      isDangerous
      onConfirm={erase}
    >
      <Stack gap="xs">
        <Text>At once and for good:</Text>
        <List size="sm">
          <List.Item>
            of {counted(pageInfo.total, 'call')}, the number, the row, transcript, summary and recording; the calls stay
            with their status and times, so that all counts stay as they are;
          </List.Item>
          <List.Item>waiting calls are cancelled, and live ones are hung up;</List.Item>
          <List.Item>
            {counted(rejectedRows.length, 'row')} left out, and the uploaded files of{' '}
            {counted(batches.length, 'batch call')};
          </List.Item>
          <List.Item>an entry on the do-not-call list stays, so that the person is not called again.</List.Item>
        </List>
      </Stack>
    </Ask>
  );
}
