import { Group, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { CallTable } from '../calls/table.js';
import { ListEntry } from '../do-not-call/entry.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { TextLink } from '../ui/link.js';
import { Paging } from '../ui/paging.js';
import { Part } from '../ui/part.js';
import { Status } from '../ui/status.js';
import { figure, spoken } from '../ui/words.js';

interface Props {
  readonly person: Schemas['Contact'];
  readonly onTurn: (page: number, perPage: number) => void;
}

/** Everything that is kept under a number. */
export const Person = ({ person, onTurn }: Props) => (
  <Stack gap="lg">
    <Part id="do-not-call" title="Do-not-call list">
      <Group justify="space-between">
        <ListEntry phoneNumber={person.phoneNumber} entry={person.doNotCall} />
      </Group>
    </Part>
    <Part id="calls" title={`Calls: ${figure(person.pageInfo.total)}`}>
      {person.data.length === 0 ? <Text c="dimmed">There are none.</Text> : <CallTable calls={person.data} />}
      <Paging pageInfo={person.pageInfo} shown={person.data.length} onChange={onTurn} />
    </Part>
    {person.batches.length > 0 && (
      <Part id="batches" title="Batch calls with this number">
        <DataTable
          label="Batch calls"
          head={[{ words: 'Name' }, { words: 'Status' }, { words: 'Calls', isNumber: true }]}
        >
          {person.batches.map(({ batchId, batchName, status, calls }) => (
            <Table.Tr key={batchId}>
              <Table.Td>
                <TextLink to="/batches/$batchId/records" params={{ batchId }} search={{ search: person.phoneNumber }}>
                  {batchName}
                </TextLink>
              </Table.Td>
              <Table.Td>
                <Status status={status} />
              </Table.Td>
              <NumberCell>{figure(calls)}</NumberCell>
            </Table.Tr>
          ))}
        </DataTable>
      </Part>
    )}
    {person.rejectedRows.length > 0 && (
      <Part id="left-out" title="Rows left out of files">
        <DataTable
          label="Rows left out"
          head={[{ words: 'Row', isNumber: true }, { words: 'Number' }, { words: 'Reason' }, { words: 'What to do' }]}
        >
          {person.rejectedRows.map(({ batchId, row, value, reason, message }) => (
            <Table.Tr key={`${batchId} ${row}`}>
              <NumberCell>
                <TextLink to="/batches/$batchId" params={{ batchId }} search={{ view: 'left-out' }}>
                  {figure(row)}
                </TextLink>
              </NumberCell>
              <Table.Td>{value}</Table.Td>
              <Table.Td>{spoken(reason)}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </Part>
    )}
  </Stack>
);
