import { Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { batchQuery } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { foundRecordsQuery } from '../api/record-search.js';
import { useAddress } from '../app/address.js';
import { stringifySearch } from '../app/search.js';
import { Export } from '../batch/export.js';
import { Frame } from '../batch/frame.js';
import { Fresh } from '../ui/fresh.js';
import { Paging } from '../ui/paging.js';
import { figure } from '../ui/words.js';
import { ColumnChoice } from './column-choice.js';
import { RecordsFilter } from './filter.js';
import { columnsField, columnsOf, filterOf, nextSort, pageOf } from './search.js';
import { RecordTable } from './table.js';

const route = getRouteApi('/batches/$batchId/records');

/** Names of the other columns of the file, as the records of this page have them. */
const columnsIn = (records: readonly Schemas['BatchRecord'][]): readonly string[] => [
  ...new Set(records.flatMap(({ metadata }) => Object.keys(metadata))),
];

/** The records of a batch call: what is filtered and sorted by, and which columns are shown, is in the address. */
export function RecordsPage() {
  const { batchId } = route.useParams();
  const { search, change, turn } = useAddress(route.useSearch(), route.useNavigate());
  const filter = filterOf(search);
  const isFiltered = Object.keys(filter).length > 0;
  const asked = { ...pageOf(search), ...filter };
  const inAll = useQuery(batchQuery(batchId)).data?.recordsUploaded;
  const records = useQuery(foundRecordsQuery(batchId, asked, inAll));
  const path = `/v1/batch-calls/${encodeURIComponent(batchId)}/records${stringifySearch(asked)}`;
  const known = columnsIn(records.data?.data ?? []);
  const columns = columnsOf(search.columns, known);
  return (
    <Frame batchId={batchId} view="records" requests={[{ path }]}>
      {(batch) => (
        <Stack gap="lg">
          <RecordsFilter batch={batch} search={search} onChange={change}>
            <ColumnChoice
              known={known}
              shown={columns}
              onChange={(next) => change({ page: search.page, columns: columnsField(next) })}
            />
            {isFiltered && <Export batch={batch} filter={filter} words="Export these" />}
          </RecordsFilter>
          <Paper withBorder p="md">
            <Fresh query={records}>
              {({ data, pageInfo, lookedAt }) => (
                <>
                  {lookedAt !== undefined && (
                    <Text role="status" mb="xs">
                      Searched {figure(lookedAt)} of {figure(inAll ?? 0)} records so far.
                    </Text>
                  )}
                  {data.length === 0 && lookedAt !== undefined ? null : data.length === 0 ? (
                    <Text c="dimmed">
                      {pageInfo.total === 0 ? 'No record matches the filter.' : 'This page is empty.'}
                    </Text>
                  ) : (
                    <RecordTable
                      {...{ batch, records: data, columns }}
                      sort={search.sort}
                      onSort={(column) => change({ sort: nextSort(search.sort, column) })}
                    />
                  )}
                  <Paging pageInfo={pageInfo} shown={data.length} onChange={turn} />
                </>
              )}
            </Fresh>
          </Paper>
        </Stack>
      )}
    </Frame>
  );
}
