import { numberOf, textOf } from '../app/search.js';

/** What the do-not-call list shows, as its address says it. */
export interface DoNotCallSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
}

/** Reads the address; what it does not understand is left out. */
export const doNotCallSearch = (search: Record<string, unknown>): DoNotCallSearch => ({
  search: textOf(search.search),
  page: numberOf(search.page),
  perPage: numberOf(search.perPage),
});
