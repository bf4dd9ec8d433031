import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Paging, RecordFilter, RecordSort } from './batch-queries.js';
import { answered, client, type Schemas } from './client.js';
import { pollMs } from './queries.js';

/** A page of the records of a batch call. */
export interface RecordsPage {
  readonly data: readonly Schemas['BatchRecord'][];
  readonly pageInfo: Schemas['PageInfo'];
  /** How many records a search has looked at so far; omitted: this is all that there is for this page. */
  readonly lookedAt?: number;
}

type Asked = RecordFilter & Paging & { readonly sort?: RecordSort };

/** So many records the API looks at for a page, so that in a smaller batch call a search is done at once. */
const mostLookedAt = 10_000;

/** Records found so far as the page that is asked for. */
function pageOf(found: RecordsPage['data'], { page, perPage }: Paging, goesOn: boolean): RecordsPage {
  const total = Math.max(found.length, goesOn ? page * perPage + 1 : 0);
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  return {
    data: found.slice((page - 1) * perPage, page * perPage),
    pageInfo: {
      currentPage: page,
      perPage,
      lastPage,
      total: found.length,
      ...(goesOn ? { totalIsEstimate: true } : {}),
    },
  };
}

/**
 * Goes by a cursor through all records until the page is full: each request looks at a part of them, and what is found is shown
 * after each.
 *
 * @param show is called with what has been found so far
 */
async function search(
  batchId: string,
  { page, perPage, ...filter }: Asked,
  signal: AbortSignal,
  show: (sofar: RecordsPage) => void,
): Promise<RecordsPage> {
  const found: Schemas['BatchRecord'][] = [];
  let cursor: string | undefined = '';
  let lookedAt = 0;
  while (cursor !== undefined && found.length < page * perPage) {
    const query = { ...filter, perPage, cursor };
    const answer: Schemas['BatchCallsListRecordsResponse'] = await answered(
      client.GET('/v1/batch-calls/{batchId}/records', { params: { path: { batchId }, query }, signal }),
    );
    found.push(...answer.data);
    cursor = answer.pageInfo.nextCursor;
    lookedAt += answer.searched ?? 0;
    if (answer.searched !== undefined) show({ ...pageOf(found, { page, perPage }, true), lookedAt });
  }
  return pageOf(found, { page, perPage }, cursor !== undefined);
}

/** GET /v1/batch-calls/{batchId}/records, in parts if a text is looked for in a large batch call. */
export const foundRecordsQuery = (batchId: string, asked: Asked, records: number | undefined) =>
  asked.search === undefined || (records !== undefined && records <= mostLookedAt)
    ? queryOptions<RecordsPage>({
        queryKey: ['batch', batchId, 'records', asked],
        queryFn: () =>
          answered(
            client.GET('/v1/batch-calls/{batchId}/records', { params: { path: { batchId }, query: { ...asked } } }),
          ),
        refetchInterval: pollMs,
        placeholderData: keepPreviousData,
      })
    : queryOptions<RecordsPage>({
        queryKey: ['batch', batchId, 'records', 'searched', asked],
        queryFn: ({ client: queries, queryKey, signal }) => {
          const isFirst = queries.getQueryData(queryKey) === undefined;
          return search(batchId, asked, signal, (sofar) => {
            if (isFirst) queries.setQueryData(queryKey, sofar);
          });
        },
        enabled: records !== undefined,
        placeholderData: keepPreviousData,
      });
