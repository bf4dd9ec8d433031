import { Group, List, Paper, Table, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { counted, figure } from '../ui/words.js';
import { Download } from './download.js';
import classes from './new-batch.module.css';
import { rejectedWords } from './words.js';

type Report = Schemas['BatchCallReport'];

const mostShown = 100;

/** Rows that would not be called, by reason, with what is wrong in each and how to mend it. */
export function RejectedRows({ report }: { readonly report: Report }) {
  const { rejected, recordsRejected } = report;
  if (recordsRejected === 0) return null;
  const byReason = new Map<string, number>();
  for (const { reason } of rejected) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  const isPart = rejected.length < recordsRejected;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="rejected">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="rejected">
          {counted(recordsRejected, 'row')} not called
        </Title>
        <Download
          filename="rejected-rows.csv"
          rows={[
            ['row', 'phone_number', 'reason', 'message'],
            ...rejected.map((each) => [each.row, each.value, each.reason, each.message]),
          ]}
        >
          {isPart ? `Download the first ${rejected.length}` : 'Download them'}
        </Download>
      </Group>
      {isPart && (
        <Text size="sm" c="dimmed">
          Of the first {rejected.length}; the batch call lists all once it is there.
        </Text>
      )}
      <List size="sm" mb="sm">
        {[...byReason].map(([reason, count]) => (
          <List.Item key={reason}>
            <b>{figure(count)}</b> {rejectedWords[reason] ?? reason}
          </List.Item>
        ))}
      </List>
      <div className={classes.scroll}>
        <DataTable
          label="Rows left out"
          head={[{ words: 'Row', isNumber: true }, { words: 'In the file' }, { words: 'Why, and what to do' }]}
        >
          {rejected.map(({ row, value, message }) => (
            <Table.Tr key={row}>
              <NumberCell>{row}</NumberCell>
              <Table.Td className={classes.cell ?? ''}>{value === '' ? '–' : value}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </div>
    </Paper>
  );
}

/** Rows whose number would be dialed otherwise than the file has it. */
export function CorrectedRows({ report }: { readonly report: Report }) {
  const { corrected, recordsCorrected } = report;
  if (recordsCorrected === 0) return null;
  const shown = corrected.slice(0, mostShown);
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="corrected">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="corrected">
          {counted(recordsCorrected, 'number')} corrected
        </Title>
        <Download
          filename="corrected-rows.csv"
          rows={[
            ['row', 'in_the_file', 'phone_number'],
            ...corrected.map((each) => [each.row, each.value, each.phoneNumber]),
          ]}
        >
          {corrected.length < recordsCorrected ? `Download the first ${figure(corrected.length)}` : 'Download them'}
        </Download>
      </Group>
      <Text size="sm" c="dimmed">
        Check the countries: a wrong country is a wrong callee.
        {shown.length < recordsCorrected && ` These are the first ${shown.length}.`}
      </Text>
      <div className={classes.scroll}>
        <DataTable
          label="Corrected numbers"
          head={[{ words: 'Row', isNumber: true }, { words: 'In the file' }, { words: 'Dialed' }]}
        >
          {shown.map(({ row, value, phoneNumber }) => (
            <Table.Tr key={row}>
              <NumberCell>{row}</NumberCell>
              <Table.Td className={classes.cell ?? ''}>{value === '' ? '–' : value}</Table.Td>
              <Table.Td className={classes.number ?? ''}>{phoneNumber}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      </div>
    </Paper>
  );
}
