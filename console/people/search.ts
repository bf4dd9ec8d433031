import { numberOf, textOf } from '../app/search.js';

/** Whom the page is about, as its address says it. */
export interface PeopleSearch {
  readonly number?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const peopleSearch = (search: Record<string, unknown>): PeopleSearch => ({
  // In a query + stands for a space: whoever typed the address by hand meant the number.
  number: textOf(typeof search.number === 'string' ? search.number.replace(/^ /, '+') : undefined),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});
