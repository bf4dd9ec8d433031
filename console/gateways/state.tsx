import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import type { Schemas } from '../api/client.js';
import { DataTable, NumberCell, PhoneCell, ShareCell } from '../ui/data-table.js';
import { Meter } from '../ui/meter.js';
import { Time } from '../ui/time.js';
import { counted, figure } from '../ui/words.js';
import { answersFrom } from './answers.js';

/** Lines that batch calls leave free, if there are any. */
export const Reserved = ({ use: { reservedCalls } }: { readonly use: Schemas['GatewayOverview'] }) =>
  reservedCalls > 0 && (
    <Text size="sm" c="dimmed">
      Batch calls leave {counted(reservedCalls, 'line')} free for single and inbound calls.
    </Text>
  );

/** What is in use of an outbound gateway, and whether its carrier takes calls. */
export const Use = ({ use }: { readonly use: Schemas['GatewayOverview'] }) => (
  <Paper withBorder p="md" component="section" aria-labelledby="use">
    <Title order={2} size="h4" id="use" mb="xs">
      In use now
    </Title>
    <Stack gap="xs">
      <Meter name="Lines" used={use.liveCalls} most={use.maxConcurrentCalls} />
      <Reserved use={use} />
      <Meter name="Calls per second" used={use.callsPerSecondUsed} most={use.callsPerSecond} />
      <Text size="sm">{figure(use.callsInLastMinute)} calls were started in the last minute.</Text>
      {use.suspended !== null && (
        <Text size="sm" role="status">
          Nothing has been dialed through it since <Time at={use.suspended.since} />
          {use.suspended.reason === null ? '' : `: ${use.suspended.reason}`}. One call tries it again at{' '}
          <Time at={use.suspended.triedAgainAt} />. Saving a change tries it at once.
        </Text>
      )}
    </Stack>
  </Paper>
);

interface Props {
  readonly numbers: readonly string[];
  readonly stats: Schemas['AccountStats'];
}

/** How many of the calls from each number were answered: a number that few people answer may be marked as spam. */
export const AnswersByNumber = ({ numbers, stats }: Props) => (
  <Paper withBorder p="md" component="section" aria-labelledby="answers">
    <Title order={2} size="h4" id="answers" mb="xs">
      Answered in the last 7 days
    </Title>
    {numbers.length === 0 ? (
      <Text c="dimmed">It has no number.</Text>
    ) : (
      <DataTable
        label="Answers by number"
        head={[
          { words: 'Calls from' },
          { words: 'Attempts', isNumber: true },
          { words: 'Answered', isNumber: true },
          { words: 'Share', isNumber: true },
        ]}
      >
        {numbers.map((number) => {
          const { attempts, answered } = answersFrom(stats, [number]);
          return (
            <Table.Tr key={number} data-number={number}>
              <PhoneCell>{number}</PhoneCell>
              <NumberCell>{figure(attempts)}</NumberCell>
              <NumberCell>{figure(answered)}</NumberCell>
              <ShareCell part={answered} whole={attempts} />
            </Table.Tr>
          );
        })}
      </DataTable>
    )}
  </Paper>
);
