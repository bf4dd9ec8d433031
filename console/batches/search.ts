import type { BatchFilter } from '../api/queries.js';
import { dateOf, numberOf, textOf, wordsOf } from '../app/search.js';
import { usualPerPage } from '../ui/usual.js';

/** Statuses of a batch call, in the order of its life, in words. */
export const batchStatuses = [
  { value: 'parsing', words: 'reading the file' },
  { value: 'scheduled', words: 'scheduled' },
  { value: 'running', words: 'running' },
  { value: 'cancelling', words: 'cancelling' },
  { value: 'completed', words: 'completed' },
  { value: 'cancelled', words: 'cancelled' },
  { value: 'parse_failed', words: 'file not usable' },
] as const;

type BatchStatus = (typeof batchStatuses)[number]['value'];

/** What the list of batch calls shows, as its address says it. */
export interface BatchesSearch {
  readonly status?: string | undefined;
  readonly search?: string | undefined;
  /** First and last day on which they were created, in the viewer's time zone. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** The statuses that an address names. */
export const statusesOf = (status: string | undefined): readonly BatchStatus[] =>
  wordsOf(
    status,
    batchStatuses.map(({ value }) => value),
  ) ?? [];

/** Reads the search parameters of the address, and drops what the page does not know. */
export const batchesSearch = (search: Record<string, unknown>): BatchesSearch => ({
  status: textOf(statusesOf(textOf(search.status)).join(',')),
  search: textOf(search.search),
  from: dateOf(search.from),
  until: dateOf(search.until),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});

/** What the API is asked for. A day begins and ends in the viewer's time zone. */
export const filterOf = ({ status, search, from, until, page, perPage }: BatchesSearch): BatchFilter => ({
  page: page ?? 1,
  perPage: Math.min(perPage ?? usualPerPage, 100),
  ...(status === undefined ? {} : { status }),
  ...(search === undefined ? {} : { search }),
  ...(from === undefined ? {} : { startDate: String(new Date(`${from}T00:00`).getTime()) }),
  ...(until === undefined ? {} : { endDate: String(new Date(`${until}T23:59:59.999`).getTime()) }),
});
