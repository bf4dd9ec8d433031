import { type ListSearch, listSearch } from '../app/list-search.js';

/** What the list of gateways shows, as its address says it. */
export interface GatewaysSearch extends ListSearch {
  /** Omitted: outbound ones. */
  readonly type?: 'inbound' | undefined;
}

/** Reads the address; what it does not understand is left out. */
export const gatewaysSearch = (search: Record<string, unknown>): GatewaysSearch => ({
  ...listSearch(search),
  type: search.type === 'inbound' ? 'inbound' : undefined,
});
