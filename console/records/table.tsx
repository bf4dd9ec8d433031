import { Button, Group, Table } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { isOver } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { useMayOperate } from '../session/session.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { sipSaid } from '../ui/sip.js';
import { Status } from '../ui/status.js';
import { Time } from '../ui/time.js';
import { duration, figure, spoken } from '../ui/words.js';
import { RecordActions } from './actions.js';
import { RecordDetails } from './details.js';
import { valueSaid } from './value.js';

type BatchRecord = Schemas['BatchRecord'];

interface Props {
  readonly batch: Schemas['BatchCallDetail'];
  readonly records: readonly BatchRecord[];
  readonly columns: readonly string[];
}

const head = [
  { words: 'Number' },
  { words: 'Status' },
  { words: 'Reason' },
  { words: 'Attempts', isNumber: true },
  { words: 'Talk', isNumber: true },
  { words: 'Next attempt' },
];

/** Why it ended, by whom it was answered, and what the carrier said. */
const reasonSaid = ({ reason, answeredBy, sipStatusCode }: BatchRecord): string =>
  [
    reason === undefined ? '' : spoken(reason),
    answeredBy === undefined || answeredBy === 'unknown'
      ? ''
      : `answered by a ${answeredBy === 'human' ? 'person' : 'machine'}`,
    sipStatusCode === undefined || sipStatusCode === 200 ? '' : sipSaid(sipStatusCode),
  ]
    .filter((part) => part !== '')
    .join(' · ');

/** Records as lines. The keys j and k go from one to the next, Enter opens it. */
export function RecordTable({ batch, records, columns }: Props) {
  const maySteer = useMayOperate() && !isOver(batch.status);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const lines = useRef(new Map<string, HTMLButtonElement>());
  const move = (event: KeyboardEvent, index: number) => {
    const by =
      event.key === 'j' || event.key === 'ArrowDown' ? 1 : event.key === 'k' || event.key === 'ArrowUp' ? -1 : 0;
    const next = records[index + by];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    lines.current.get(next.recordId)?.focus();
  };
  const opened = records.find(({ recordId }) => recordId === openedId);
  return (
    <>
      <DataTable
        label="Records"
        head={[...head, ...columns.map((words) => ({ words })), ...(maySteer ? [{ words: 'Steer' }] : [])]}
      >
        {records.map((record, index) => (
          <Table.Tr key={record.recordId} data-record={record.recordId}>
            <Table.Td>
              <Button
                variant="subtle"
                size="compact-sm"
                ref={(element) => {
                  if (element === null) lines.current.delete(record.recordId);
                  else lines.current.set(record.recordId, element);
                }}
                onKeyDown={(event) => move(event, index)}
                onClick={() => setOpenedId(record.recordId)}
              >
                {record.phoneNumber}
              </Button>
            </Table.Td>
            <Table.Td>
              <Status status={record.status} />
            </Table.Td>
            <Table.Td miw="11rem">{reasonSaid(record)}</Table.Td>
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
