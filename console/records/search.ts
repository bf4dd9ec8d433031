import type { RecordFilter } from '../api/batch-queries.js';
import type { Schemas } from '../api/client.js';
import { numberOf, textOf, wordsOf } from '../app/search.js';
import { usualPerPage } from '../ui/usual.js';

type RecordStatus = Schemas['BatchRecord']['status'];

/** Statuses of a record, from those that wait to those that are over. */
export const recordStatuses = [
  ...(['pending', 'dialing', 'in-progress', 'retrying', 'answered'] as const),
  ...(['not-answered', 'rejected', 'missed', 'failed', 'abandoned', 'cancelled'] as const),
] as const satisfies readonly RecordStatus[];

/** What the list of records shows, as its address says it. */
export interface RecordsSearch {
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** Names of the columns of the file that are shown; omitted: the first ones. */
  readonly columns?: string | undefined;
}

/** The statuses that an address names. */
export const statusesOf = (status: string | undefined): readonly RecordStatus[] =>
  wordsOf(status, recordStatuses) ?? [];

/** Reads the address; what it does not understand is left out. */
export const recordsSearch = (search: Record<string, unknown>): RecordsSearch => ({
  status: textOf(statusesOf(textOf(search.status)).join(',')),
  search: textOf(search.search),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
  columns: textOf(search.columns),
});

/** What the API is asked for. */
export const filterOf = ({ status, search, page, perPage }: RecordsSearch): RecordFilter => ({
  page: page ?? 1,
  perPage: Math.min(perPage ?? usualPerPage, 100),
  ...(status === undefined ? {} : { status }),
  ...(search === undefined ? {} : { search }),
});

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
