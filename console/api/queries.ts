import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { answered, client } from './client.js';
import { Refused } from './refused.js';

/** How often what moves is asked for again. */
export const pollMs = 3_000;
/** How often what seldom changes is. */
export const slowPollMs = 10_000;

const mostTries = 3;

/** Answers of the API that this page keeps. Requests that the API has refused are not repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < mostTries && !(error instanceof Refused && error.status < 500),
      staleTime: 1_000,
    },
    mutations: { retry: false },
  },
});

/** GET /v1/overview */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => answered(client.GET('/v1/overview')),
  refetchInterval: pollMs,
});

/** GET /v1/account/guardrails, which also says whether all dialing is stopped. */
export const guardrailsQuery = queryOptions({
  queryKey: ['guardrails'],
  queryFn: () => answered(client.GET('/v1/account/guardrails')),
  refetchInterval: slowPollMs,
});

/** Which batch calls to list, as the address of the page says it. */
export interface BatchFilter {
  readonly status?: string;
  readonly search?: string;
  /** From 1. */
  readonly page?: number;
  readonly perPage?: number;
  /** Created at this time or later, in milliseconds since 1970. */
  readonly startDate?: string;
  /** Created at this time or earlier, in milliseconds since 1970. */
  readonly endDate?: string;
}

/** GET /v1/batch-calls */
export const batchesQuery = (filter: BatchFilter) =>
  queryOptions({
    queryKey: ['batches', filter],
    queryFn: () => answered(client.GET('/v1/batch-calls', { params: { query: filter } })),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });
