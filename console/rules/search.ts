import type { Direction } from '../api/telephony.js';
import { type ListSearch, listSearch } from '../app/list-search.js';

/** What the list of rules shows, as its address says it. */
export interface RulesSearch extends ListSearch {
  readonly type?: Direction | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const rulesSearch = (search: Record<string, unknown>): RulesSearch => ({
  ...listSearch(search),
  type: search.type === 'inbound' || search.type === 'outbound' ? search.type : undefined,
});
