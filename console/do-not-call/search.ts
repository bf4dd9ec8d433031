import { numberOf, textOf } from '../app/search.js';

/** What the do-not-call list shows, as its address says it. */
export interface DoNotCallSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const doNotCallSearch = (search: Record<string, unknown>): DoNotCallSearch => ({
  search: textOf(search.search),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});
