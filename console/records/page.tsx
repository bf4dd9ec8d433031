import { Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { recordsQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { stringifySearch } from '../app/search.js';
import { Frame } from '../batch/frame.js';
import { Choices } from '../ui/choices.js';
import { Fresh } from '../ui/fresh.js';
import { Paging } from '../ui/paging.js';
import { SearchField } from '../ui/search-field.js';
import { statusSaid } from '../ui/status.js';
import { figure } from '../ui/words.js';
import { ColumnChoice } from './column-choice.js';
import { columnsField, columnsOf, filterOf, recordStatuses, type RecordsSearch, statusesOf } from './search.js';
import { RecordTable } from './table.js';

const route = getRouteApi('/batches/$batchId/records');

/** Names of the other columns of the file, as the records of this page have them. */
const columnsIn = (records: readonly Schemas['BatchRecord'][]): readonly string[] => [
  ...new Set(records.flatMap(({ metadata }) => Object.keys(metadata))),
];

/** The records of a batch call in the order of the file: what is filtered by, and which columns are shown, is in the address. */
export function RecordsPage() {
  const { batchId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = filterOf(search);
  const records = useQuery(recordsQuery(batchId, filter));
  const change = (part: RecordsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true, resetScroll: false });
  const path = `/v1/batch-calls/${encodeURIComponent(batchId)}/records${stringifySearch({ ...filter })}`;
  const known = columnsIn(records.data?.data ?? []);
  const columns = columnsOf(search.columns, known);
  return (
    <Frame batchId={batchId} view="records" requests={[{ path }]}>
      {(batch) => (
        <Stack gap="lg">
          <Stack gap="sm" component="search" aria-label="Filter">
            <Group align="end" gap="sm">
              <SearchField
                label="Number, or any value of the row"
                value={search.search ?? ''}
                onSearch={(next) => change({ search: next })}
              />
              <ColumnChoice
                known={known}
                shown={columns}
                onChange={(next) => change({ page: search.page, columns: columnsField(next) })}
              />
            </Group>
            <Choices
              label="Status"
              all="All"
              options={recordStatuses.map((status) => ({
                value: status,
                words: `${statusSaid(status)} ${figure(batch.counts[status])}`,
              }))}
              chosen={statusesOf(search.status)}
              onChange={(chosen) => change({ status: chosen.join(',') })}
            />
          </Stack>
          <Paper withBorder p="md">
            <Fresh query={records}>
              {({ data, pageInfo }) => (
                <>
                  {data.length === 0 ? (
                    <Text c="dimmed">
                      {pageInfo.total === 0 ? 'No record is like this.' : 'There is nothing on this page.'}
                    </Text>
                  ) : (
                    <RecordTable batch={batch} records={data} columns={columns} />
                  )}
                  <Paging
                    pageInfo={pageInfo}
                    shown={data.length}
                    onChange={(page, perPage) => void navigate({ search: (before) => ({ ...before, page, perPage }) })}
                  />
                </>
              )}
            </Fresh>
          </Paper>
        </Stack>
      )}
    </Frame>
  );
}
