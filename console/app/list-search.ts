import { usualPerPage } from '../ui/usual.js';
import { numberOf, textOf } from './search.js';

/** What a list shows, as its address says it. */
export interface ListSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Which part of a list the API is asked for. */
export interface ListFilter {
  readonly search?: string;
  readonly page: number;
  readonly perPage: number;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const listSearch = ({ search, page, perPage }: Record<string, unknown>): ListSearch => ({
  search: textOf(search),
  page: numberOf(page),
  perPage: numberOf(perPage),
});

/** What the API is asked for. */
export const listFilter = ({ search, page, perPage }: ListSearch): ListFilter => ({
  page: page ?? 1,
  perPage: Math.min(perPage ?? usualPerPage, 100),
  ...(search === undefined ? {} : { search }),
});
