import { Button, Checkbox, FileInput, Group, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../api/client.js';
import { addToDoNotCall, bareNumber, importToDoNotCall } from '../api/people.js';
import { DataTable } from '../ui/data-table.js';
import { Dialog } from '../ui/dialog.js';
import { useKey } from '../ui/key.js';
import { Problem } from '../ui/problem.js';
import { counted, figure } from '../ui/words.js';
import { useUnsaved } from '../ui/unsaved.js';

/** What became of what was sent. */
const Result = ({ added }: { readonly added: Schemas['AddedToDoNotCall'] }) => (
  <Stack gap="xs">
    <Text role="status">
      {counted(added.added, 'number was', 'numbers were')} added, {figure(added.alreadyListed)}{' '}
      {added.alreadyListed === 1 ? 'was' : 'were'} on the list already
      {added.rejected > 0 ? `, ${counted(added.rejected, 'row')} could not be read` : ''}.
    </Text>
    {added.rejectedRows.length > 0 && (
      <DataTable
        label="Rows that could not be read"
        head={[{ words: 'Row' }, { words: 'Number' }, { words: 'What to do' }]}
      >
        {added.rejectedRows.map(({ row, value, message }) => (
          <Table.Tr key={row}>
            <Table.Td>{figure(row)}</Table.Td>
            <Table.Td>{value}</Table.Td>
            <Table.Td>{message}</Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    )}
    {added.rejected > added.rejectedRows.length && (
      <Text size="sm">The first {figure(added.rejectedRows.length)} are shown.</Text>
    )}
  </Stack>
);

/** Puts numbers on the list, pasted ones or those of a spreadsheet. */
export function AddNumbers() {
  const [opened, { open, close }] = useDisclosure(false);
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [reason, setReason] = useState('');
  const [addsPlus, setAddsPlus] = useState(false);
  const { keyFor, renew } = useKey();
  const queries = useQueryClient();
  const numbers = text
    .split(/[\n,;]+/)
    .map(bareNumber)
    .filter((number) => number !== '');
  const adding = useMutation({
    mutationFn: () => {
      const why = reason.trim();
      if (file === null) return addToDoNotCall(numbers, why, keyFor(JSON.stringify([numbers, why])));
      const content = JSON.stringify([file.name, file.size, file.lastModified, why, addsPlus]);
      return importToDoNotCall(file, why, addsPlus, keyFor(content));
    },
    onSuccess: async () => {
      renew();
      setText('');
      setFile(null);
      await queries.invalidateQueries();
    },
  });
  useUnsaved(opened && (text !== '' || file !== null));
  const leave = () => {
    close();
    adding.reset();
  };
  const isEmpty = file === null && numbers.length === 0;
  return (
    <>
      <Button onClick={open}>Add numbers</Button>
      <Dialog opened={opened} onClose={leave} title="Add to the do-not-call list" size="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isEmpty && !adding.isPending) adding.mutate();
          }}
        >
          <Stack>
            <FileInput
              label="Spreadsheet"
              description="csv, xls or xlsx with a column phone_number, of at most 5 MB"
              placeholder="Choose a file"
              accept=".csv,.xls,.xlsx"
              clearable
              clearButtonProps={{ 'aria-label': 'Remove the file' }}
              value={file}
              onChange={setFile}
            />
            {file === null ? (
              <Textarea
                label="Or paste numbers"
                description="One on each line, with + and country code. If one of them cannot be used, none is added."
                rows={6}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            ) : (
              <Checkbox
                label="Put a + before numbers that have none, if that makes them valid"
                checked={addsPlus}
                onChange={(event) => setAddsPlus(event.currentTarget.checked)}
              />
            )}
            <TextInput
              label="Reason"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Text size="sm">They are not called from then on. Waiting calls end as failed; live ones go on.</Text>
            <Problem error={adding.error} title="No number was added" />
            {adding.data !== undefined && <Result added={adding.data} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
                Back
              </Button>
              <Button type="submit" disabled={isEmpty} loading={adding.isPending}>
                {file === null && numbers.length > 0 ? `Add ${counted(numbers.length, 'number')}` : 'Add'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
