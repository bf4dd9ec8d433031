import { Button, Group, Table } from '@mantine/core';
import { useState } from 'react';
import { isOver } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { endSaid } from '../ui/ended.js';
import { useLines } from '../ui/lines.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { duration, figure } from '../ui/words.js';
import { RecordActions } from './actions.js';
import { RecordDetails } from './details.js';
import type { SortedBy } from './search.js';
import { valueSaid } from './value.js';

type BatchRecord = Schemas['BatchRecord'];

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  readonly records: readonly BatchRecord[];
  readonly columns: readonly string[];
  /** The column that they are sorted by, with `-` in front from the largest; omitted: in the order of the file. */
  readonly sort: string | undefined;
  readonly onSort: (column: SortedBy) => void;
}

const head: readonly { readonly words: string; readonly isNumber?: boolean; readonly column?: SortedBy }[] = [
  { words: 'Number', column: 'phoneNumber' },
  { words: 'Status', column: 'status' },
  { words: 'Reason', column: 'reason' },
  { words: 'Attempts', isNumber: true, column: 'attempts' },
  { words: 'Talk', isNumber: true, column: 'callDuration' },
  { words: 'Next attempt' },
];

const sortedOf = (sort: string | undefined, column: SortedBy) =>
  sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';

/** Records as lines. The keys j and k go from one to the next, Enter opens it. */
export function RecordTable({ batch, records, columns, sort, onSort }: Props) {
  const maySteer = useMayOperate() && !isOver(batch.status);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const line = useLines<HTMLButtonElement>(records.map(({ recordId }) => recordId));
  const opened = records.find(({ recordId }) => recordId === openedId);
  return (
    <>
      <DataTable
        label="Records"
        head={[
          ...head.map(({ column, ...cell }) =>
            column === undefined ? cell : { ...cell, sorted: sortedOf(sort, column), onSort: () => onSort(column) },
          ),
          ...columns.map((words) => ({ words })),
          ...(maySteer ? [{ words: 'Actions' }] : []),
        ]}
      >
        {records.map((record, index) => (
          <Table.Tr key={record.recordId} data-record={record.recordId}>
            <Table.Td>
              <Button
                variant="subtle"
                size="compact-sm"
                px={4}
                ml={-4}
                {...line(index)}
                onClick={() => setOpenedId(record.recordId)}
              >
                {record.phoneNumber}
              </Button>
            </Table.Td>
            <Table.Td>
              <Status status={record.status} />
            </Table.Td>
            <Table.Td miw="11rem">{endSaid(record)}</Table.Td>
            <NumberCell>{figure(record.attempts)}</NumberCell>
            <NumberCell>{record.callDuration === undefined ? '–' : duration(record.callDuration)}</NumberCell>
            <Table.Td>
              <Time at={record.nextAttemptAt} zone={batch.timezone} />
            </Table.Td>
            {columns.map((name) => (
              <Table.Td key={name} miw="8rem">
                {valueSaid(record.metadata[name])}
              </Table.Td>
            ))}
            {maySteer && (
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <RecordActions batch={batch} record={record} />
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </DataTable>
      <RecordDetails batch={batch} record={opened} onClose={() => setOpenedId(null)} />
    </>
  );
}
