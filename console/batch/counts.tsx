import { Paper, Table, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell, ShareCell } from '../ui/data-table.js';
import { Status } from '../ui/status.js';
import { figure } from '../ui/words.js';
import classes from './counts.module.css';

type Counts = Schemas['CallCounts'];

const statuses = [
  ...(['answered', 'not-answered', 'rejected', 'missed', 'failed', 'abandoned', 'cancelled'] as const),
  ...(['dialing', 'in-progress', 'retrying', 'pending'] as const),
] as const satisfies readonly (keyof Counts)[];

/** How many calls have each status; the lines add up to the last. */
export function Counts({ batch: { batchId, counts } }: { readonly batch: Schemas['BatchCallDetail'] }) {
  const total = statuses.reduce((sum, status) => sum + counts[status], 0);
  const answered = [
    { words: 'by a person', count: counts.human },
    { words: 'by a machine', count: counts.machine },
    { words: 'unknown', count: counts.answered - counts.human - counts.machine },
  ];
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="counts">
      <Title order={2} size="h4" id="counts" mb="xs">
        Calls
      </Title>
      <DataTable
        label="Calls by status"
        head={[{ words: 'Status' }, { words: 'Calls', isNumber: true }, { words: 'Share', isNumber: true }]}
        foot={
          <Table.Tr>
            <Table.Th scope="row">In all</Table.Th>
            <NumberCell>
              <b>{figure(total)}</b>
            </NumberCell>
            <Table.Td />
          </Table.Tr>
        }
      >
        {statuses.flatMap((status) => [
          <Table.Tr key={status} data-call-status={status} data-count={counts[status]}>
            <Table.Td>
              <Link to="/batches/$batchId/records" params={{ batchId }} search={{ status }} className={classes.link}>
                <Status status={status} />
              </Link>
            </Table.Td>
            <NumberCell>{figure(counts[status])}</NumberCell>
            <ShareCell part={counts[status]} whole={total} />
          </Table.Tr>,
          ...(status === 'answered' && counts.answered > 0
            ? answered.map(({ words, count }) => (
                <Table.Tr key={words} data-answered={words} data-count={count}>
                  <Table.Td pl="xl">{words}</Table.Td>
                  <NumberCell>{figure(count)}</NumberCell>
                  <Table.Td />
                </Table.Tr>
              ))
            : []),
        ])}
      </DataTable>
    </Paper>
  );
}
