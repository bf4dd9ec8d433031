import { api, here, type RequestOptions } from './support.js';
import { insertLiveAgent, liveAgentIds, type LiveAgent } from '../../bench/live-agent.js';
import type { Db } from '../../db/client.js';

let numbersMade = 0;

/** A number of the account that no other test of this file has. */
export function aNumber(): string {
  numbersMade += 1;
  return `+91987${String(7_000_000 + numbersMade)}`;
}

/** Body of POST /v2/sip/phone-numbers that is accepted. */
export const numbersBody = (change: object = {}) => ({
  name: 'Reminders',
  phoneNumbers: [aNumber()],
  outbound: { address: 'sip.carrier.example' },
  ...change,
});

interface Registered {
  readonly e164: string;
  readonly phoneNumberId: string;
  readonly inboundGatewayId: string;
  readonly outboundGatewayId: string;
}

/** A number with its gateways, registered through the API. */
export async function aRegisteredNumber(change: object = {}, options: RequestOptions = {}): Promise<Registered> {
  const response = await api.post('/v2/sip/phone-numbers', numbersBody(change), options);
  if (response.status !== 201) throw new Error(`No number: ${response.text}`);
  const { data } = response.body as {
    data: { phoneNumber: { e164: string; phoneNumberId: string }; inbound: { id: string }; outbound: { id: string } }[];
  };
  const { phoneNumber, inbound, outbound } = data[0]!;
  return { ...phoneNumber, inboundGatewayId: inbound.id, outboundGatewayId: outbound.id };
}

/** Leaves a live agent as one that was never deployed. */
async function takeDown(tx: Db, { agentId, deploymentId }: LiveAgent): Promise<void> {
  await tx.updateTable('agents').set({ status: 'inactive', deployment_id: null }).where('id', '=', agentId).execute();
  await tx.deleteFrom('deployments').where('id', '=', deploymentId).execute();
}

/** An agent with a version and, if it is active, a live deployment: rows only, no workflow. */
export async function anAgent({ accountId = here().me.account.id, status = 'active' } = {}): Promise<string> {
  const config = { name: 'Agent', languages: { english: { prompt: 'Be kind.' } } };
  const { agentId } = await here()
    .database.db.transaction()
    .execute(async (tx) => {
      const agent = await insertLiveAgent(tx, accountId, liveAgentIds(), config);
      if (status === 'inactive') await takeDown(tx, agent);
      return agent;
    });
  return agentId;
}

/** An outbound rule on these numbers, made through the API; with an active agent where none is named. */
export async function aRule(change: object = {}, options: RequestOptions = {}): Promise<string> {
  const response = await api.post(
    '/v2/sip/routing-rule',
    { name: 'Outbound', type: 'outbound', agentId: await anAgent(), phoneNumbers: [], ...change },
    options,
  );
  if (response.status !== 201) throw new Error(`No rule: ${response.text}`);
  return (response.body as { id: string }).id;
}

/** Runs a statement, for what the API does not show. */
export async function rowsOf<Row extends object>(statement: string, values: unknown[] = []): Promise<Row[]> {
  const { rows } = await here().database.pool.query<Row>(statement, values);
  return rows;
}

/** A number that can call: gateways, and an outbound rule with an active agent. */
export async function aCallingNumber(rule: object = {}): Promise<Registered & { readonly ruleId: string }> {
  const number = await aRegisteredNumber();
  return { ...number, ruleId: await aRule({ phoneNumbers: [number.e164], ...rule }) };
}

/** What a batch of a test is made from: a number that can call, as test/api/batch-calls/support.ts takes it. */
export const routeOf = (number: Awaited<ReturnType<typeof aCallingNumber>>, agentId = 'agt_none') => ({
  phoneNumber: number.e164,
  phoneNumberId: number.phoneNumberId,
  gatewayId: number.outboundGatewayId,
  ruleId: number.ruleId,
  agentId,
});

/** A gateway made by itself through the API, as it is answered. */
export async function aGateway(
  direction: 'inbound' | 'outbound',
  change: object = {},
  options: RequestOptions = {},
): Promise<Record<string, unknown> & { readonly id: string }> {
  const basics = { name: 'Trunk', ...(direction === 'outbound' ? { address: 'sip.carrier.example' } : {}) };
  const response = await api.post(`/v2/sip/${direction}-gateways`, { ...basics, ...change }, options);
  if (response.status !== 201) throw new Error(`No gateway: ${response.text}`);
  return response.body as Record<string, unknown> & { id: string };
}
