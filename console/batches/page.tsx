import { Button, Group, Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { batchesQuery } from '../api/queries.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { Choices } from '../ui/choices.js';
import { DayField } from '../ui/day-field.js';
import { Fresh } from '../ui/fresh.js';
import { Page } from '../ui/page.js';
import { Paging } from '../ui/paging.js';
import { SearchField } from '../ui/search-field.js';
import { NoBatches } from './empty.js';
import { BatchLine } from './line.js';
import { batchStatuses, filterOf, statusesOf } from './search.js';

const route = getRouteApi('/batches');

/** All batch calls of the account, newest first: what is filtered by is in the address. */
export function BatchesPage() {
  const { search, change, turn, clear } = useAddress(route.useSearch(), route.useNavigate());
  const filter = filterOf(search);
  const batches = useQuery(batchesQuery(filter));
  const { status, search: text, from, until } = search;
  const isFiltered = [status, text, from, until].some((each) => each !== undefined);
  return (
    <Page title="Batch calls" requests={[{ path: `/v1/batch-calls${stringifySearch({ ...filter })}` }]}>
      <Stack gap="sm" component="search" aria-label="Filter">
        <Group align="end" gap="sm">
          <SearchField
            label="Name, description, number or id"
            value={text ?? ''}
            onSearch={(next) => change({ search: next === '' ? undefined : next })}
          />
          <DayField label="Created from" day={from} onChange={(from) => change({ from })} />
          <DayField label="Created until" day={until} onChange={(until) => change({ until })} />
        </Group>
        <Choices
          label="Status"
          all="All"
          options={batchStatuses}
          chosen={statusesOf(status)}
          onChange={(chosen) => change({ status: chosen.join(',') })}
        />
      </Stack>
      <Paper withBorder p="md" component="section" aria-label="Batch calls">
        <Fresh query={batches}>
          {({ data, pageInfo }) => (
            <>
              {data.length === 0 && pageInfo.total === 0 && <NoBatches isFiltered={isFiltered} onClear={clear} />}
              {data.length === 0 && pageInfo.total > 0 && (
                <Button variant="default" onClick={() => change({})}>
                  This page does not exist: go to the first
                </Button>
              )}
              {data.map((batch) => (
                <BatchLine key={batch.batchId} batch={batch} withTimes />
              ))}
              <Paging pageInfo={pageInfo} shown={data.length} onChange={turn} />
            </>
          )}
        </Fresh>
      </Paper>
    </Page>
  );
}
