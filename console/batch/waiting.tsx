import { Paper, Table, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell } from '../ui/data-table.js';
import { Time } from '../ui/time.js';
import { figure, spoken } from '../ui/words.js';

/** What recipients wait for, in words. One that is not in the list is shown as the API says it. */
const words: Readonly<Record<string, string>> = {
  not_started: 'The start of the batch call',
  paused: 'The batch call is paused',
  dialing_stopped: 'All dialing is stopped, or this batch call is being cancelled',
  calling_window: 'The calling window is closed for them',
  guardrail_hours: 'The calling hours of the guardrails are closed for them',
  daily_limit: 'Their number has had all its attempts of today',
  retry_delay: 'The delay before their next attempt',
  callback: 'The time of their promised callback',
  not_before: 'Their own earliest time',
  gateway_suspended: 'The gateway is suspended',
  no_agent_slot: 'A free agent',
  batch_limit: 'The limit of concurrent calls of this batch call',
  gateway_limit: 'A free line of the gateway',
  reserved: 'A line that is not reserved for single calls and inbound ones',
  number_limit: 'The limits of the number to call from',
  gateway_rate: 'The calls per second of the gateway',
  pre_dial: 'The answer of the pre-dial endpoint',
  same_number_live: 'Another call to the same number is live',
  not_queued: 'A worker to put them into the queue',
  ready: 'Nothing: they are dialed next',
};

/** What recipients wait for, and until when; the lines add up to all that are still to be called. */
export const Waiting = ({ batch }: { readonly batch: Schemas['BatchCallDetail'] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="waiting">
    <Title order={2} size="h4" id="waiting" mb="xs">
      {batch.waiting.total === 0 ? 'What waits' : `What ${figure(batch.waiting.total)} wait for`}
    </Title>
    {batch.waiting.reasons.length === 0 ? (
      <Text c="dimmed">No recipient waits for a call.</Text>
    ) : (
      <DataTable
        label="What recipients wait for"
        head={[{ words: 'Calls', isNumber: true }, { words: 'Wait for' }, { words: 'First due' }]}
      >
        {batch.waiting.reasons.map(({ reason, count, until }) => (
          <Table.Tr key={reason} data-reason={reason} data-count={count}>
            <NumberCell>{figure(count)}</NumberCell>
            <Table.Td miw="6.5rem">{words[reason] ?? spoken(reason)}</Table.Td>
            <Table.Td>
              <Time at={until} zone={batch.timezone} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
    )}
  </Paper>
);
