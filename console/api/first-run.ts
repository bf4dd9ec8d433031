import { queryOptions } from '@tanstack/react-query';
import { answered, client } from './client.js';

/** How often what the steps say is asked for again: a first call is watched. */
const pollMs = 3_000;
const perPage = 100;

/** Whether a batch call of the account has ever started. */
export const startedQuery = queryOptions({
  queryKey: ['batches', 'started'],
  queryFn: () => {
    const query = { status: 'running,cancelling,cancelled,completed', perPage: 1 };
    return answered(client.GET('/v1/batch-calls', { params: { query } }));
  },
  refetchInterval: ({ state }) => (state.data?.pageInfo.total === 0 ? pollMs : false),
});

/** Why an agent is not live: the reason of its newest deployment; undefined: it has none, or is on its way. */
async function deployReason(agentId: string | undefined): Promise<string | undefined> {
  if (agentId === undefined) return undefined;
  const params = { path: { agentId }, query: { perPage: 1 } };
  const { data } = await answered(client.GET('/v1/agents/{agentId}/deployments', { params }));
  return data[0]?.reason;
}

/** What an account has of what a first call takes, the newest first. */
async function setUp() {
  const [agents, numbers, rules, calls, batches] = await Promise.all([
    answered(client.GET('/v1/agents', { params: { query: { perPage } } })),
    answered(client.GET('/v2/sip/phone-numbers', { params: { query: { perPage } } })),
    answered(client.GET('/v2/sip/routing-rule', { params: { query: { type: 'outbound', perPage } } })),
    answered(client.GET('/v2/sip/call', { params: { query: { type: 'outbound', perPage: 1 } } })),
    answered(client.GET('/v1/batch-calls', { params: { query: { perPage: 1 } } })),
  ]);
  const isLive = agents.data.some(({ status }) => status === 'active');
  return {
    agents: agents.data,
    numbers: numbers.data,
    rules: rules.data,
    call: calls.data[0],
    batch: batches.data[0],
    notLiveBecause: isLive ? undefined : await deployReason(agents.data[0]?.agentId),
  };
}

/** What an account has of what a first call takes. */
export type SetUp = Awaited<ReturnType<typeof setUp>>;

/** The same, as it changes. */
export const setUpQuery = queryOptions({ queryKey: ['set-up'], queryFn: setUp, refetchInterval: pollMs });
