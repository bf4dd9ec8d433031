import { sql } from 'kysely';
import type { Db } from '../../../db/client.js';
import { liveKitRoom } from '../../../domain/call/room.js';
import type { Tenant } from '../../workflow/fixtures.js';

export const kinds = { firstAt: new Date('2026-03-01T08:00:00Z') };
export const rooms = ['reception', 'lobby'];
/** They are called, and some of them call. */
export const callees = ['+12125550001', '+12125550012', '+12125559999', '+4915299900'];
/** Both of a tenant's numbers begin alike. */
export const ownNumbersOf = ({ number }: Tenant): readonly string[] => [
  number,
  `${number.slice(0, -1)}x`.replace('x', '0'),
];

/**
 * Calls a minute apart: of three batches, one of which has been deleted and not removed yet, single ones and ones that came in;
 * in each status, with attempts and rooms of each kind, by two rules and one that has been deleted, over two gateways and from two numbers.
 */
export async function addCallsOfAllKinds(
  db: Db,
  tenant: Tenant,
  count: number,
): Promise<{ readonly batchIds: readonly string[]; readonly callIds: readonly string[] }> {
  const { accountId, numberId, number, ruleId, gatewayId, agentId } = tenant;
  const batchIds = ['a', 'b', 'c'].map((name) => `batch_${accountId}_${name}`);
  await sql`
    insert into routing_rules (id, account_id, type, name, agent_id, room_type, room_id)
    values (${`${ruleId}-2`}, ${accountId}, 'outbound', 'Reception', ${agentId}, 'static', 'reception')`.execute(db);
  for (const [place, batchId] of batchIds.entries()) {
    await sql`
      insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status, timing, timezone,
        starts_at, started_at)
      values (${batchId}, ${accountId}, 'Batch', ${numberId}, ${number}, ${ruleId}, ${place === 0 ? gatewayId : `${gatewayId}-2`},
        ${agentId}, 'running', 'immediate', 'UTC', now(), now())`.execute(db);
  }
  const { rows } = await sql<{ id: string }>`
    insert into calls (id, account_id, batch_id, position, type, to_number, from_number, rule_id, gateway_id, status,
      attempts_made, room_id, options, created_at)
    select uuidv7(at - clock_timestamp()), ${accountId}, b.id, case when b.id is null then 0 else n end,
      case when n % 9 = 4 then 'inbound' else 'outbound' end,
      case when n % 9 = 4 then own else callee end, case when n % 9 = 4 then callee else own end,
      case when n % 15 = 0 and b.id is null then ${`${ruleId}-deleted`} when n % 5 = 0 and b.id is null then ${`${ruleId}-2`} else ${ruleId} end,
      coalesce(b.gateway_id, case when n % 4 = 0 then ${`${gatewayId}-2`} else ${gatewayId} end), state, n % 3,
      case when n % 9 = 4 or b.id is null and n % 5 = 0 then 'reception' when b.id is null and n % 7 = 0 then 'lobby' end,
      case when b.id is null and n % 7 = 0 then '{"destinationRoomId":"lobby"}'::jsonb
        when b.id is null and n % 11 = 0 then '{"destinationRoomId":"reception"}'::jsonb end, at
    from generate_series(1, ${count}::integer) n
    cross join lateral (select
      case when n % 10 < 6 then ${kinds.firstAt}::timestamptz + make_interval(hours => n % 3)
        else ${kinds.firstAt}::timestamptz + make_interval(mins => n - n % 2) end as at,
      (${[...callees]}::text[])[1 + n % ${callees.length}] as callee,
      (${[...ownNumbersOf(tenant)]}::text[])[1 + (n % 13 = 0)::integer] as own,
      (array['pending', 'dialing', 'in-progress', 'retrying', 'answered', 'answered', 'answered', 'failed', 'not-answered',
        'rejected', 'missed', 'abandoned', 'cancelled'])[1 + n * 7 % 13] as state) z
    left join batches b on b.id = case when n % 10 < 6 and n % 9 <> 4 then (${batchIds}::text[])[1 + n % 3] end
    returning id`.execute(db);
  const callIds = rows.map(({ id }) => id);
  // From a fraction of a second to hours; one in seven is over without a word.
  await sql`
    update calls set talk_seconds = power(2, abs(hashtext(id::text)) % 1000 / 70.0) - 1
    where account_id = ${accountId} and (status = 'answered' and abs(hashtext(id::text)) % 7 > 0 or status = 'retrying')`.execute(
    db,
  );
  await sql`
    insert into recordings (call_id, account_id, attempt, started_at)
    select id, account_id, 1, now() from calls where account_id = ${accountId} and abs(hashtext(id::text)) % 3 = 0`.execute(
    db,
  );
  await sql`update calls set room_id = 'call_' || id || '_1_1' where account_id = ${accountId} and room_id is null`.execute(
    db,
  );
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, phase, due_at, claimed_by, room,
      dialed_at, ringing_at, answered_at, ended_at, outcome)
    select c.id, k, c.account_id, c.batch_id, c.gateway_id, 0, 'number ' || c.id || k,
      case when open then 'ringing' else 'ended' end, now(), case when open then uuidv7() end, ${`${accountId}.`} || c.room_id, now(),
      case when abs(hashtext(c.id::text)) % 2 = 0 then now() end,
      case when c.status = 'in-progress' then now() end, case when not open then now() end,
      case when not open then (array['failed', 'rejected', 'missed'])[1 + abs(hashtext(c.id::text)) % 3] end
    from calls c cross join generate_series(1, 2) k
    cross join lateral (select not c.settled and c.status <> 'retrying' and k > c.attempts_made as open) o
    where c.account_id = ${accountId} and k <= c.attempts_made + (c.status in ('dialing', 'in-progress'))::integer`.execute(
    db,
  );
  await sql`
    insert into inbound_legs (call_id, account_id, region, sip_call_id, room, identity)
    select id, account_id, 'default', id::text, ${liveKitRoom(accountId, 'reception')}, 'caller' from calls
    where account_id = ${accountId} and type = 'inbound'`.execute(db);
  await sql`
    insert into batch_counters (batch_id, pending, answered)
    select batch_id, count(*) filter (where status <> 'answered'), count(*) filter (where status = 'answered') from calls
    where account_id = ${accountId} and batch_id is not null group by batch_id`.execute(db);
  await sql`insert into batch_deletions (batch_id, account_id) values (${batchIds[2]}, ${accountId})`.execute(db);
  await sql`delete from batches where id = ${batchIds[2]}`.execute(db);
  return { batchIds, callIds };
}
