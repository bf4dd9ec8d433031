import type { Paging, RecordFilter, RecordSort } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { numberOf, rangeOf, textOf, wordsOf } from '../app/search.js';
import { usualPerPage } from '../ui/usual.js';

type RecordStatus = Schemas['BatchRecord']['status'];

/** Statuses of a record, from those that wait to those that are over. */
export const recordStatuses = [
  ...(['pending', 'dialing', 'in-progress', 'retrying', 'answered'] as const),
  ...(['not-answered', 'rejected', 'missed', 'failed', 'abandoned', 'cancelled'] as const),
] as const satisfies readonly RecordStatus[];

/** Who can have answered, in words. */
export const answerers = [
  { value: 'human', words: 'a person' },
  { value: 'machine', words: 'a machine' },
  { value: 'unknown', words: 'unknown' },
] as const;

/** Columns that the list is sorted by. */
export const sortedBy = ['phoneNumber', 'status', 'reason', 'attempts', 'callDuration'] as const;
export type SortedBy = (typeof sortedBy)[number];

/** What the list of records shows, as its address says it. */
export interface RecordsSearch {
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly answeredBy?: string | undefined;
  readonly reason?: string | undefined;
  readonly attempts?: string | undefined;
  readonly sipStatusCode?: string | undefined;
  readonly variant?: string | undefined;
  /** A range of seconds. */
  readonly duration?: string | undefined;
  /** A column, with `-` in front from the largest; omitted: in the order of the file. */
  readonly sort?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** Names of the columns of the file that are shown; omitted: the first ones. */
  readonly columns?: string | undefined;
}

/** The statuses that an address names. */
export const statusesOf = (status: string | undefined): readonly RecordStatus[] =>
  wordsOf(status, recordStatuses) ?? [];

/** Who answered, of what an address names. */
export const answerersOf = (answeredBy: string | undefined) =>
  wordsOf(
    answeredBy,
    answerers.map(({ value }) => value),
  ) ?? [];

const sorts: readonly RecordSort[] = sortedBy.flatMap((column) => [column, `-${column}`] as const);
const sortOf = (value: unknown): RecordSort | undefined => sorts.find((sort) => sort === value);

/** Reads the search parameters of the address, and drops what the page does not know. */
export const recordsSearch = (search: Record<string, unknown>): RecordsSearch => ({
  status: textOf(statusesOf(textOf(search.status)).join(',')),
  search: textOf(search.search),
  answeredBy: textOf(answerersOf(textOf(search.answeredBy)).join(',')),
  reason: textOf(search.reason),
  attempts: textOf(search.attempts),
  sipStatusCode: textOf(search.sipStatusCode),
  variant: textOf(search.variant),
  duration: rangeOf(search.duration),
  sort: sortOf(search.sort),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
  columns: textOf(search.columns),
});

const filters = [
  'status',
  'search',
  'answeredBy',
  'reason',
  'attempts',
  'sipStatusCode',
  'variant',
  'duration',
] as const;

/** Which records the API is asked for. */
export const filterOf = (search: RecordsSearch): RecordFilter =>
  Object.fromEntries(filters.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

/** Which of them, and in which order. */
export function pageOf({ page, perPage, sort: named }: RecordsSearch): Paging & { readonly sort?: RecordSort } {
  const sort = sortOf(named);
  return {
    page: page ?? 1,
    perPage: Math.min(perPage ?? usualPerPage, 100),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** The order after one more press of a column's head: from the smallest, from the largest, and that of the file again. */
export const nextSort = (sort: string | undefined, column: SortedBy): string | undefined =>
  sort === column ? `-${column}` : sort === `-${column}` ? undefined : column;

const usualColumns = 3;
/** Stands for no column at all: an empty field would be left out of the address. */
const noColumns = '-';

/** The columns to show of those that there are. Names may hold any character, so each is escaped in the address. */
export function columnsOf(columns: string | undefined, known: readonly string[]): readonly string[] {
  if (columns === undefined) return known.slice(0, usualColumns);
  const named = columns.split(',');
  return known.filter((name) => named.includes(encodeURIComponent(name)));
}

/** The same for an address. */
export const columnsField = (columns: readonly string[]): string =>
  columns.length === 0 ? noColumns : columns.map(encodeURIComponent).join(',');
