import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ListFilter } from '../app/list-search.js';
import { answered, client } from './client.js';
import { slowPollMs } from './queries.js';

/** GET /v1/account */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => answered(client.GET('/v1/account')),
  refetchInterval: slowPollMs,
});

/** GET /v1/account/keys */
export const keysQuery = (query: ListFilter & { readonly active?: 'true' | 'false' }) =>
  queryOptions({
    queryKey: ['keys', query],
    queryFn: () => answered(client.GET('/v1/account/keys', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v2/sip/webhooks */
export const webhooksQuery = (query: ListFilter) =>
  queryOptions({
    queryKey: ['webhooks', query],
    queryFn: () => answered(client.GET('/v2/sip/webhooks', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** Which entries of the audit log to list. */
export interface AuditFilter extends ListFilter {
  readonly action?: string;
  readonly target?: string;
  readonly keyId?: string;
  /** In milliseconds since 1970. */
  readonly startDate?: string;
  readonly endDate?: string;
}

/** GET /v1/account/audit-log */
export const auditLogQuery = (query: AuditFilter) =>
  queryOptions({
    queryKey: ['audit-log', query],
    queryFn: () => answered(client.GET('/v1/account/audit-log', { params: { query: { ...query } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/account/prices */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: () => answered(client.GET('/v1/account/prices')),
});

/** GET /v1/stats?by=day */
export const daysQuery = (query: { readonly from?: string; readonly to?: string }) =>
  queryOptions({
    queryKey: ['stats', 'day', query],
    queryFn: () => answered(client.GET('/v1/stats', { params: { query: { by: 'day', ...query } } })),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });
