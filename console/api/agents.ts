import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answered, client, type Schemas } from './client.js';
import { pollMs as fastPollMs } from './queries.js';

/** How often what seldom changes is asked for again. */
const pollMs = 10_000;

/** Which agents to list. */
export interface AgentFilter {
  readonly search?: string;
  readonly status?: Schemas['Agent']['status'];
  readonly page?: number;
  readonly perPage?: number;
}

/** GET /v1/agents */
export const agentsQuery = (filter: AgentFilter) =>
  queryOptions({
    queryKey: ['agents', filter],
    queryFn: () => answered(client.GET('/v1/agents', { params: { query: filter } })),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/agents/{agentId}: the agent with its latest config. */
export const agentQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agent', agentId],
    queryFn: () => answered(client.GET('/v1/agents/{agentId}', { params: { path: { agentId } } })),
    refetchInterval: fastPollMs,
  });

interface Paging {
  readonly page: number;
  readonly perPage: number;
}

/** GET /v1/agents/{agentId}/versions */
export const versionsQuery = (agentId: string, query: Paging) =>
  queryOptions({
    queryKey: ['agent', agentId, 'versions', query],
    queryFn: () =>
      answered(client.GET('/v1/agents/{agentId}/versions', { params: { path: { agentId }, query: { ...query } } })),
    refetchInterval: fastPollMs,
    placeholderData: keepPreviousData,
  });

/** GET /v1/agents/{agentId}/versions/{versionId}: what it was saved with never changes. */
export const versionQuery = (agentId: string, versionId: string) =>
  queryOptions({
    queryKey: ['agent', agentId, 'version', versionId],
    queryFn: () =>
      answered(client.GET('/v1/agents/{agentId}/versions/{versionId}', { params: { path: { agentId, versionId } } })),
    staleTime: Infinity,
  });

/** GET /v1/agents/{agentId}/deployments */
export const deploymentsQuery = (agentId: string, query: Paging) =>
  queryOptions({
    queryKey: ['agent', agentId, 'deployments', query],
    queryFn: () =>
      answered(client.GET('/v1/agents/{agentId}/deployments', { params: { path: { agentId }, query: { ...query } } })),
    refetchInterval: fastPollMs,
    placeholderData: keepPreviousData,
  });

/** All that `more` has, page after page. */
async function all<Item>(
  more: (page: number) => Promise<{ readonly data: readonly Item[]; readonly pageInfo: Schemas['PageInfo'] }>,
): Promise<readonly Item[]> {
  const first = await more(1);
  const others = Array.from({ length: first.pageInfo.lastPage - 1 }, (_, index) => more(index + 2));
  return [...first.data, ...(await Promise.all(others)).flatMap(({ data }) => data)];
}

/** Most entries that a page of a list has. */
const perPage = 100;

const allModels = () => all((page) => answered(client.GET('/v1/models', { params: { query: { page, perPage } } })));

/** Providers of models, as slugs begin with them. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async () => [...new Set((await allModels()).map(({ provider }) => provider))].sort(),
  staleTime: Infinity,
});

/** What a config can be made of: models, languages, and what the account has of tools and knowledge bases. */
export const choicesQuery = queryOptions({
  queryKey: ['choices'],
  queryFn: async () => {
    const [models, languages, tools, knowledgeBases] = await Promise.all([
      allModels(),
      all((page) => answered(client.GET('/v1/languages', { params: { query: { page, perPage } } }))),
      answered(client.GET('/v1/tools', { params: { query: { perPage } } })),
      answered(client.GET('/v1/knowledge-bases', { params: { query: { perPage } } })),
    ]);
    return { models, languages, tools: tools.data, knowledgeBases: knowledgeBases.data };
  },
});

/** What a config can be made of. */
export type Choices = Awaited<ReturnType<NonNullable<typeof choicesQuery.queryFn>>>;

/** Who takes part in calls by an agent: its rules, and those batch calls of them that are not over. */
export const usersQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agent', agentId, 'users'],
    queryFn: async () => {
      const query = { perPage: 100 };
      const status = 'parsing,scheduled,running,cancelling';
      const [rules, batches] = await Promise.all([
        all((page) => answered(client.GET('/v2/sip/routing-rule', { params: { query: { ...query, page } } }))),
        all((page) => answered(client.GET('/v1/batch-calls', { params: { query: { ...query, status, page } } }))),
      ]);
      const own = rules.filter((rule) => rule.agentId === agentId);
      return {
        rules: own,
        batches: batches.filter(({ routingRuleId }) => own.some(({ id }) => id === routingRuleId)),
      };
    },
  });
