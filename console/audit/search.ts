import type { AuditFilter } from '../api/account.js';
import { listFilter, type ListSearch, listSearch } from '../app/list-search.js';
import { dateOf, textOf } from '../app/search.js';

/** What the audit log shows, as its address says it. */
export interface AuditSearch extends ListSearch {
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly keyId?: string | undefined;
  /** First and last day, in the viewer's time zone. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Reads the search parameters of the address, and drops what the page does not know. */
export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  ...listSearch(search),
  action: textOf(search.action),
  target: textOf(search.target),
  keyId: textOf(search.keyId),
  from: dateOf(search.from),
  until: dateOf(search.until),
});

/** What the API is asked for. A day begins and ends in the viewer's time zone. */
export const auditFilter = ({ action, target, keyId, from, until, page, perPage }: AuditSearch): AuditFilter => ({
  ...listFilter({ page, perPage }),
  ...(action === undefined ? {} : { action }),
  ...(target === undefined ? {} : { target }),
  ...(keyId === undefined ? {} : { keyId }),
  ...(from === undefined ? {} : { startDate: String(new Date(`${from}T00:00`).getTime()) }),
  ...(until === undefined ? {} : { endDate: String(new Date(`${until}T23:59:59.999`).getTime()) }),
});
