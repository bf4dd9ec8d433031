import { type ListSearch, listSearch } from '../app/list-search.js';

/** What the list of gateways shows, as its address says it. */
export interface GatewaysSearch extends ListSearch {
  /** Omitted: outbound ones. */
  readonly type?: 'inbound' | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const gatewaysSearch = (search: Record<string, unknown>): GatewaysSearch => ({
  ...listSearch(search),
  type: search.type === 'inbound' ? 'inbound' : undefined,
});
