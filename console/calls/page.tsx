import { Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { callsQuery } from '../api/call.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { Paging } from '../ui/paging.js';
import { Time } from '../ui/time.js';
import { CallsFilter } from './filter.js';
import { filterOf } from './search.js';
import { CallTable } from './table.js';

const route = getRouteApi('/calls');

/** All calls of the account, newest first, single ones and those of batch calls: what is filtered by is in the address. */
export function CallsPage() {
  const { search, change, turn, clear } = useAddress(route.useSearch(), route.useNavigate());
  const filter = filterOf(search);
  const calls = useQuery(callsQuery(filter));
  const isFiltered = Object.entries(search).some(
    ([name, value]) => value !== undefined && name !== 'page' && name !== 'perPage',
  );
  return (
    <Page title="Calls" requests={[{ path: `/v2/sip/call${stringifySearch({ ...filter })}` }]}>
      <CallsFilter search={search} onChange={change} />
      <Paper withBorder p="md" component="section" aria-label="List">
        <Fresh query={calls}>
          {({ data, pageInfo, searchedFrom }) => (
            <>
              {searchedFrom !== undefined && (
                <Text mb="xs">
                  So many calls contain these words that calls made before{' '}
                  <Time at={new Date(searchedFrom).toISOString()} /> were not searched: choose a time, or add words.
                </Text>
              )}
              {data.length > 0 && <CallTable calls={data} />}
              {data.length === 0 && (
                <Stack align="start">
                  <Text>
                    {pageInfo.total > 0
                      ? `There is no page ${filter.page}.`
                      : isFiltered
                        ? 'No call matches the filter.'
                        : 'No call has been made or taken yet.'}
                  </Text>
                  {(isFiltered || pageInfo.total > 0) && (
                    <Button variant="default" onClick={clear}>
                      Show all calls
                    </Button>
                  )}
                </Stack>
              )}
              <Paging pageInfo={pageInfo} shown={data.length} onChange={turn} />
            </>
          )}
        </Fresh>
      </Paper>
    </Page>
  );
}
