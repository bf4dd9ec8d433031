import { queryOptions } from '@tanstack/react-query';
import { answered, client } from './client.js';

/** How often what seldom changes is asked for again. */
const pollMs = 10_000;

/** Which agents to list. */
export interface AgentFilter {
  readonly search?: string;
  readonly page?: number;
  readonly perPage?: number;
}

/** GET /v1/agents */
export const agentsQuery = (filter: AgentFilter) =>
  queryOptions({
    queryKey: ['agents', filter],
    queryFn: () => answered(client.GET('/v1/agents', { params: { query: filter } })),
    refetchInterval: pollMs,
  });
