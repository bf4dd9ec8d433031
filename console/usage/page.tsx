import { Group, Paper, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { accountQuery, daysQuery } from '../api/account.js';
import type { Schemas } from '../api/client.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { DataTable, NumberCell, ShareCell } from '../ui/data-table.js';
import { DayField } from '../ui/day-field.js';
import { FactList } from '../ui/fact-list.js';
import { Fresh } from '../ui/fresh.js';
import { TextLink } from '../ui/link.js';
import { Page } from '../ui/page.js';
import { costSaid, duration, figure } from '../ui/words.js';
import { Models } from './models.js';
import type { UsageSearch } from './search.js';

const route = getRouteApi('/usage');

const Card = ({
  id,
  title,
  usage,
}: {
  readonly id: string;
  readonly title: string;
  readonly usage: Schemas['Usage'];
}) => (
  <Paper withBorder p="md" component="section" aria-labelledby={id}>
    <Title order={2} size="h4" id={id} mb="xs">
      {title}
    </Title>
    <FactList
      facts={[
        { name: 'People called', said: figure(usage.calls) },
        { name: 'Attempts', said: figure(usage.attempts) },
        { name: 'Answered, inbound included', said: figure(usage.answered) },
        { name: 'Talk, inbound included', said: duration(usage.talkSeconds) },
        ...(usage.cost === undefined ? [] : [{ name: 'Cost, inbound included', said: costSaid(usage.cost) }]),
      ]}
    />
  </Paper>
);

function Days({ search, onChange }: { readonly search: UsageSearch; readonly onChange: (part: UsageSearch) => void }) {
  const { from, to } = search;
  const query = useQuery(daysQuery({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="days">
      <Title order={2} size="h4" id="days" mb="xs">
        Day by day
      </Title>
      <Group align="end" gap="sm" mb="md" component="search" aria-label="Days">
        <DayField label="From" day={from} onChange={(from) => onChange({ from })} />
        <DayField label="Until" day={to} onChange={(to) => onChange({ to })} />
      </Group>
      <Fresh query={query}>
        {({ rows, currency, from: first, to: last }) =>
          rows.length === 0 ? (
            <Text c="dimmed">
              No call ended from {first} to {last}.
            </Text>
          ) : (
            <>
              {currency === undefined && (
                <Text size="sm" mb="sm">
                  Costs are shown once <TextLink to="/prices">prices</TextLink> are set.
                </Text>
              )}
              <DataTable
                label="Calls by day"
                head={[
                  { words: 'Day' },
                  ...[
                    'Calls',
                    'Attempts',
                    'Answered',
                    'Share',
                    'Talk',
                    ...(currency === undefined ? [] : ['Cost']),
                  ].map((words) => ({ words, isNumber: true })),
                ]}
              >
                {rows.map(({ key, calls, attempts, answered, talkSeconds, cost, withoutPrice }) => (
                  <Table.Tr key={key} data-day={key}>
                    <Table.Td>{key ?? 'never dialed'}</Table.Td>
                    <NumberCell>{figure(calls)}</NumberCell>
                    <NumberCell>{figure(attempts)}</NumberCell>
                    <NumberCell>{figure(answered)}</NumberCell>
                    <ShareCell part={answered} whole={attempts} />
                    <NumberCell>{duration(talkSeconds)}</NumberCell>
                    {currency !== undefined && (
                      <NumberCell>
                        {costSaid({ amount: cost ?? null, currency, withoutPrice: withoutPrice ?? 0 })}
                      </NumberCell>
                    )}
                  </Table.Tr>
                ))}
              </DataTable>
            </>
          )
        }
      </Fresh>
    </Paper>
  );
}

/** What the account has used, and its limits. */
export function UsagePage() {
  const { search, change } = useAddress(route.useSearch(), route.useNavigate());
  const query = useQuery(accountQuery);
  return (
    <Page
      title="Usage"
      requests={[{ path: '/v1/account' }, { path: `/v1/stats${stringifySearch({ by: 'day', ...search })}` }]}
    >
      <Fresh query={query}>
        {({ usage, limits }) => (
          <Stack gap="lg">
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              <Card id="today" title="Today (UTC)" usage={usage.today} />
              <Card id="month" title="This month (UTC)" usage={usage.thisMonth} />
              <Paper withBorder p="md" component="section" aria-labelledby="limits">
                <Title order={2} size="h4" id="limits" mb="xs">
                  Now, and its limits
                </Title>
                <FactList
                  facts={[
                    { name: 'Live calls', said: figure(usage.liveCalls) },
                    { name: 'Unfinished batch calls', said: figure(usage.unfinishedBatches) },
                    { name: 'Files of batch calls', said: `${figure(Math.ceil(usage.batchFileBytes / 1_000))} kB` },
                    { name: 'Requests a second', said: figure(limits.requestsPerSecond) },
                    { name: 'Requests at once', said: figure(limits.requestBurst) },
                    { name: 'Largest file', said: `${figure(Math.floor(limits.batchFileBytes / 1_000))} kB` },
                  ]}
                />
              </Paper>
            </SimpleGrid>
            <Paper withBorder p="md" component="section" aria-labelledby="models">
              <Title order={2} size="h4" id="models" mb="xs">
                Models of this month
              </Title>
              <Models models={usage.thisMonth.models} />
            </Paper>
            <Days search={search} onChange={change} />
          </Stack>
        )}
      </Fresh>
    </Page>
  );
}
