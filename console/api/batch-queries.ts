import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, client, type Schemas } from './client.js';
import type { paths } from './schema.js';
import { pollMs, slowPollMs } from './queries.js';

type Batch = Schemas['BatchCallDetail'];

/** Whether nothing more happens to a batch call. */
export const isOver = (status: Batch['status']): boolean => ['completed', 'cancelled', 'parse_failed'].includes(status);

/** GET /v1/batch-calls/{batchId} */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: ['batch', batchId],
    queryFn: () => answered(client.GET('/v1/batch-calls/{batchId}', { params: { path: { batchId } } })),
    refetchInterval: ({ state }) => (state.data !== undefined && isOver(state.data.status) ? slowPollMs : pollMs),
  });

/** What the figures of a batch call can be split by. */
export type FiguresBy = NonNullable<Schemas['BatchStats']['by']>;

/** GET /v1/batch-calls/{batchId}/stats?by= */
export const figuresQuery = (batchId: string, by: FiguresBy) =>
  queryOptions({
    queryKey: ['batch', batchId, 'stats', by],
    queryFn: () =>
      answered(client.GET('/v1/batch-calls/{batchId}/stats', { params: { path: { batchId }, query: { by } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/batch-calls/{batchId}/timeline, as long as it goes on */
export const timelineQuery = (batchId: string, isRunning: boolean) =>
  queryOptions({
    queryKey: ['batch', batchId, 'timeline'],
    queryFn: () => answered(client.GET('/v1/batch-calls/{batchId}/timeline', { params: { path: { batchId } } })),
    refetchInterval: isRunning ? slowPollMs : false,
  });

/** Which part of a list. */
export interface Paging {
  /** From 1. */
  readonly page: number;
  /** Up to 100. */
  readonly perPage: number;
}

/** GET /v1/batch-calls/{batchId}/rejected-rows */
export const leftOutQuery = (batchId: string, paging: Paging) =>
  queryOptions({
    queryKey: ['batch', batchId, 'rejected-rows', paging],
    queryFn: () =>
      answered(
        client.GET('/v1/batch-calls/{batchId}/rejected-rows', { params: { path: { batchId }, query: { ...paging } } }),
      ),
    placeholderData: keepPreviousData,
  });

/** GET /v1/batch-calls/{batchId}/webhook-deliveries */
export const deliveriesQuery = (batchId: string, paging: Paging) =>
  queryOptions({
    queryKey: ['batch', batchId, 'webhook-deliveries', paging],
    queryFn: () =>
      answered(
        client.GET('/v1/batch-calls/{batchId}/webhook-deliveries', {
          params: { path: { batchId }, query: { ...paging } },
        }),
      ),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/account/audit-log?target= */
export const changesQuery = (target: string, paging: Paging) =>
  queryOptions({
    queryKey: ['audit-log', target, paging],
    queryFn: () => answered(client.GET('/v1/account/audit-log', { params: { query: { target, ...paging } } })),
    refetchInterval: slowPollMs,
    placeholderData: keepPreviousData,
  });

/** Which records of a batch call to list. */
export interface RecordFilter {
  readonly status?: string;
  readonly search?: string;
  readonly answeredBy?: string;
  readonly reason?: string;
  readonly attempts?: string;
  readonly sipStatusCode?: string;
  readonly variant?: string;
  readonly duration?: string;
}

/** In which order records are listed. */
export type RecordSort = NonNullable<
  NonNullable<paths['/v1/batch-calls/{batchId}/records']['get']['parameters']['query']>['sort']
>;
