import { Button, Group, Stack, Table, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/client.js';
import { DataTable } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { Problem } from '../ui/problem.js';
import { counted, figure } from '../ui/words.js';
import { type Pasted, pastedRecipients } from './pasted.js';
import { useUnsaved } from '../ui/unsaved.js';

type Added = Schemas['RecipientsAdded'];

/** Sends one part of them. */
type Post = (recipients: Pasted[]) => Promise<Added>;

/** Recipients in one request: half of what the API takes, so that long rows fit, too. */
const perRequest = 5_000;
const mostShown = 100;

/** Adds recipients part by part. Done again after a failure, it adds nobody twice: the same row is a duplicate. */
async function add(post: Post, recipients: readonly Pasted[]): Promise<Added> {
  let sum: Added = { accepted: 0, alreadyPresent: 0, rejected: [] };
  for (let from = 0; from < recipients.length; from += perRequest) {
    const part = await post(recipients.slice(from, from + perRequest));
    sum = {
      accepted: sum.accepted + part.accepted,
      alreadyPresent: sum.alreadyPresent + part.alreadyPresent,
      rejected: [...sum.rejected, ...part.rejected.map((each) => ({ ...each, index: each.index + from }))],
    };
  }
  return sum;
}

const Result = ({ added: { accepted, rejected } }: { readonly added: Added }) => (
  <Stack gap="xs" role="status">
    <Text>
      {counted(accepted, 'recipient was', 'recipients were')} added, {figure(rejected.length)}{' '}
      {rejected.length === 1 ? 'was' : 'were'} not.
    </Text>
    {rejected.length > 0 && (
      <DataTable
        label="Recipients that were not added"
        head={[{ words: 'Recipient' }, { words: 'Number' }, { words: 'Why' }]}
      >
        {rejected.slice(0, mostShown).map(({ index, value, message }) => (
          <Table.Tr key={index}>
            <Table.Td>{figure(index + 1)}</Table.Td>
            <Table.Td>{value}</Table.Td>
            <Table.Td>{message}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    )}
    {rejected.length > mostShown && <Text size="sm">The first {mostShown} are shown.</Text>}
  </Stack>
);

/** Adds recipients that are pasted; `hint` says when they are called. */
export function AddRecipients({ post, hint }: { readonly post: Post; readonly hint: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [text, setText] = useState('');
  const queries = useQueryClient();
  const recipients = pastedRecipients(text);
  const adding = useMutation({
    mutationFn: () => add(post, recipients),
    onSuccess: async () => {
      setText('');
      await queries.invalidateQueries();
    },
  });
  useUnsaved(opened && text !== '');
  const leave = () => {
    close();
    adding.reset();
  };
  const columns = Object.keys(recipients[0]?.metadata ?? {});
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Add recipients
      </Button>
      <Dialog opened={opened} onClose={leave} title="Add recipients" size="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (recipients.length > 0 && !adding.isPending) adding.mutate();
          }}
        >
          <Stack>
            <Textarea
              label="Numbers"
              description="One on each line, with + and country code. Lines of a spreadsheet are read, too: the first names the columns, and the number is the first cell."
              rows={8}
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {recipients.length > 0 && (
              <Text size="sm" role="status">
                {counted(recipients.length, 'recipient')}
                {columns.length > 0 ? `, with ${columns.join(', ')}` : ''}. {hint}
              </Text>
            )}
            <Problem error={adding.error} title="Not all were added" />
            {adding.data !== undefined && <Result added={adding.data} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Back
              </Button>
              <Button type="submit" disabled={recipients.length === 0} loading={adding.isPending}>
                {recipients.length === 0 ? 'Add' : `Add ${counted(recipients.length, 'recipient')}`}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
