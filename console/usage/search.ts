import { dateOf } from '../app/search.js';

/** The days whose figures are shown, as the address says it; omitted: the last thirty. */
export interface UsageSearch {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const usageSearch = ({ from, to }: Record<string, unknown>): UsageSearch => ({
  from: dateOf(from),
  to: dateOf(to),
});
