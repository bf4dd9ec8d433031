import { type ListSearch, listSearch } from '../app/list-search.js';

/** What the list of keys shows, as its address says it. */
export interface KeysSearch extends ListSearch {
  /** Omitted: those that work. */
  readonly active?: 'false' | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const keysSearch = (search: Record<string, unknown>): KeysSearch => ({
  ...listSearch(search),
  active: search.active === 'false' ? 'false' : undefined,
});
