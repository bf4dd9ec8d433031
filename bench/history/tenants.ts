import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Db } from '../../db/client.js';
import { formatId } from '../../domain/ids.js';
import { insertAccount, insertLiveAgent, liveAgentIds } from '../live-agent.js';

/** What the calls of an account go through: a number with its gateway and its rule. */
export interface Line {
  readonly accountId: string;
  readonly agentId: string;
  readonly gatewayId: string;
  readonly ruleId: string;
  readonly numberId: string;
  readonly number: string;
  /** Static room of the rule; null: a room for each call. */
  readonly room: string | null;
}

export interface Tenant {
  readonly accountId: string;
  readonly lines: readonly Line[];
}

const linesPerAccount = 12;

/** Accounts of very different sizes; what they have is named alike in every database that they are inserted into. */
export const planTenants = (): readonly Tenant[] => [0, 1, 2].map((place) => planTenant(place));

function planTenant(place: number): Tenant {
  const accountId = formatId('account', uuid());
  const agentId = formatId('agent', uuid());
  const line = (index: number): Line => ({
    accountId,
    agentId,
    gatewayId: formatId('outboundGateway', uuid()),
    ruleId: formatId('rule', uuid()),
    numberId: formatId('number', uuid()),
    number: `+1202555${place}${String(index).padStart(3, '0')}`,
    // Only single calls have such a room.
    room: index === 1 ? 'reception' : null,
  });
  return { accountId, lines: Array.from({ length: linesPerAccount }, (_, index) => line(index)) };
}

/** Stores an account with an agent that is live and everything that its lines are made of. */
export async function insertTenant(db: Db, { accountId, lines }: Tenant): Promise<void> {
  const [first] = lines;
  if (first === undefined) throw new Error('An account of the benchmark has lines.');
  const { agentId } = first;
  await insertAccount(db, accountId, 'Benchmark');
  await insertLiveAgent(db, accountId, { ...liveAgentIds(), agentId });
  await db
    .insertInto('gateways')
    .values(
      lines.map(({ gatewayId }) => ({
        id: gatewayId,
        account_id: accountId,
        direction: 'outbound',
        name: 'Trunk',
        sip_region: 'default',
        address: 'sip.carrier.example',
        transport: 'tls',
        calls_per_second: 200,
        max_concurrent_calls: 10_000,
      })),
    )
    .execute();
  await sql`
    insert into gateway_admission (gateway_id, account_id, next_claim_at)
    select id, account_id, 'infinity' from gateways where account_id = ${accountId}`.execute(db);
  await db
    .insertInto('routing_rules')
    .values(
      lines.map(({ ruleId, room }) => ({
        id: ruleId,
        account_id: accountId,
        type: 'outbound',
        name: 'Rule',
        agent_id: agentId,
        room_type: room === null ? 'dynamic' : 'static',
        room_id: room,
      })),
    )
    .execute();
  await db
    .insertInto('phone_numbers')
    .values(lines.map(({ numberId, number }) => ({ id: numberId, account_id: accountId, e164: number, name: 'Line' })))
    .execute();
}
