import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Db } from '../../db/client.js';
import { formatId } from '../../domain/ids.js';
import { insertAccount, insertLiveAgent } from '../live-agent.js';

export interface Queue {
  readonly gatewayIds: readonly string[];
  readonly batchIds: readonly string[];
}

/** Fills an empty database with running batches whose calls all wait for their first attempt. */
export async function fillQueue(
  db: Db,
  size: { readonly gateways: number; readonly batches: number; readonly attempts: number; readonly channels: number },
): Promise<Queue> {
  const accountId = formatId('account', uuid());
  const ruleId = formatId('rule', uuid());
  const gatewayIds = Array.from({ length: size.gateways }, () => formatId('outboundGateway', uuid()));
  const batchIds = Array.from({ length: size.batches }, () => formatId('batch', uuid()));
  const gatewayOf = (place: number): string => gatewayIds[place % gatewayIds.length] ?? '';

  await insertAccount(db, accountId, 'Benchmark');
  const { agentId } = await insertLiveAgent(db, accountId);
  await db
    .insertInto('gateways')
    .values(
      gatewayIds.map((id) => ({
        id,
        account_id: accountId,
        direction: 'outbound',
        name: 'Trunk',
        sip_region: 'default',
        address: 'sip.carrier.example',
        transport: 'tls',
        calls_per_second: 200,
        max_concurrent_calls: size.channels,
      })),
    )
    .execute();
  await db
    .insertInto('gateway_admission')
    .values(gatewayIds.map((gateway_id) => ({ gateway_id, account_id: accountId, next_claim_at: 'infinity' })))
    .execute();
  await db
    .insertInto('routing_rules')
    .values({ id: ruleId, account_id: accountId, type: 'outbound', name: 'Rule', agent_id: agentId })
    .execute();
  await db
    .insertInto('batches')
    .values(
      batchIds.map((id, place) => ({
        id,
        account_id: accountId,
        name: 'Batch',
        number_id: formatId('number', uuid()),
        agent_id: agentId,
        from_number: '+12025550100',
        rule_id: ruleId,
        gateway_id: gatewayOf(place),
        status: 'running',
        timing: 'immediate',
        timezone: 'UTC',
        starts_at: new Date(),
        started_at: new Date(),
      })),
    )
    .execute();
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id)
    select uuidv7(), b.account_id, b.id, (i - 1) / ${batchIds.length}::integer, '+1555' || lpad(i::text, 7, '0'),
      b.from_number, b.rule_id, b.gateway_id, b.agent_id
    from generate_series(1, ${size.attempts}::integer) i
    join (select *, row_number() over (order by id) - 1 as place from batches) b
      on b.place = (i - 1) % ${batchIds.length}::integer`.execute(db);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select id, 1, account_id, batch_id, gateway_id, position, to_number, clock_timestamp() - interval '1 second'
    from calls`.execute(db);
  // What autovacuum would have done by the time that so many calls wait.
  await sql`vacuum analyze calls, call_attempts, batches, gateways, gateway_admission`.execute(db);
  return { gatewayIds, batchIds };
}
