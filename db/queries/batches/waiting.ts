import { sql } from 'kysely';
import type { AgentRoom, DialingRoom, GatewayRoom } from '../../../domain/batch/waiting-row.js';
import type { Db } from '../../client.js';
import { agentRoom } from '../dialer/agent-slots.js';

/** Attempts whose due instant lies ahead, for a moment, because of a carrier or until their number may call: so many are looked at one by one. */
const aheadLookedAt = 2_000;
/** And of those that are due: the claim judges them next. */
const dueLookedAt = 50;

/**
 * What `BatchWaits` holds of the batch `b` with its counters `k`; null if it is not running, or nothing waits. What it reads does not
 * grow with the batch: groups by zone and hold (db/functions/03-groups-of-waits.sql), and the head of the queue. Whether
 * there are groups is asked in the order of their index, or the rows of all batches would be looked through.
 */
export const waitsColumn = sql`
  case when b.status = 'running' and k.pending + k.retrying > 0 then json_build_object(
    'groups', case when (
        select true from batch_waits w where w.batch_id = b.id order by w.zones, w.hold, w.due limit 1
      ) then groups_of_waits(b.id) else '[]' end,
    'near', (
      select coalesce(json_agg(json_build_array(n.zones, n.reason, n.until, n.calls)), '[]') from (
        select coalesce(array_to_string(c.time_zones, ','), '') as zones, q.reason, min(q.due_at) as until,
          count(*) as calls
        from (
          select a.call_id, 'ready' as reason, null::timestamptz as due_at from call_attempts a
          where a.gateway_id = b.gateway_id and a.lane = b.id and a.phase = 'claimed'
          union all
          select a.call_id,
            case when exists (
                select 1 from call_attempts x
                where x.account_id = a.account_id and x.to_number = a.to_number
                  and x.phase in ('claimed', 'dialing', 'ringing', 'answered')) then 'same_number_live'
              when a.due_at <= statement_timestamp() then null
              when a.reason = 'rate' then 'gateway_rate'
              when a.reason = 'channels' then 'gateway_limit'
              when a.reason = 'pre_dial' then 'pre_dial'
              when a.reason = 'number' then 'number_limit'
              when a.reason <> 'not_sent' then 'retry_delay'
              -- A dialer gave it back before an INVITE, or the other call to the same number has just ended.
              else 'ready' end,
            case when a.due_at > statement_timestamp() then a.due_at end
          from (
            (select * from call_attempts a
              where a.gateway_id = b.gateway_id and a.lane = b.id and a.phase = 'queued'
                and a.due_at <= statement_timestamp()
              order by a.due_at, a.position limit ${dueLookedAt})
            union all
            (select * from call_attempts a
              where a.gateway_id = b.gateway_id and a.lane = b.id and a.phase = 'queued'
                and a.due_at > statement_timestamp() and a.due_at <= statement_timestamp() + interval '61 seconds'
              order by a.due_at, a.position limit ${aheadLookedAt})
            union all
            -- Retries go by one number, and wait for its spacing although others of the pool may call.
            (select * from call_attempts a
              where b.phone_numbers is not null and a.gateway_id = b.gateway_id and a.lane = b.id and a.phase = 'queued'
                and a.reason = 'number' and a.due_at > statement_timestamp() + interval '61 seconds'
              order by a.due_at, a.position limit ${aheadLookedAt})
          ) a
        ) q
        join calls c on c.id = q.call_id
        where q.reason is not null
          and coalesce(greatest(c.next_attempt_at, c.held_until), '-infinity') <= statement_timestamp()
        group by 1, 2) n),
    'due', exists (
      select 1 from call_attempts a
      where a.gateway_id = b.gateway_id and a.lane = b.id and a.phase = 'queued'
        and a.due_at <= statement_timestamp() and a.not_after > statement_timestamp()),
    'number', case when exists (select 1 from gateway_admission y where y.gateway_id = b.gateway_id and y.counts_numbers)
      then (
        select case when r.room is not null then json_build_array(r.room, case when r.again_at > statement_timestamp()
          + interval '150 milliseconds' then r.again_at end) end
        from number_room(b.gateway_id, b.id, statement_timestamp()) r) end,
    'preDial', case when b.pre_dial is not null then json_build_array(
      (select count(*) from pre_dial_answers w
        join call_attempts a on a.call_id = w.call_id and a.number = w.number
        where w.batch_id = b.id and w.cleared and w.holds_until > statement_timestamp()
          and a.phase || '' = 'queued' and a.due_at <= statement_timestamp()),
      (select min(l.ask_at) from pre_dial_lanes l
        where l.batch_id = b.id and l.failures > 0 and l.ask_at < 'infinity')) end
  ) end`;

const noAgents: AgentRoom = { slots: {}, reserved: {}, taken: {}, ofBatches: {} };

/**
 * How many more calls these gateways take now, by the rules of the claim (db/functions/claim-attempts.sql).
 *
 * @param tx as `byIndexes` has it
 * @param accountId whose gateways they must be; null: anyone's
 */
export async function roomOfGateways(
  tx: Db,
  accountId: string | null,
  gatewayIds: readonly string[],
): Promise<DialingRoom> {
  if (gatewayIds.length === 0) return { gateways: new Map(), agents: noAgents };
  const { rows } = await sql<GatewayRoom & { readonly id: string; readonly agents: AgentRoom }>`
    -- prepared
    select g.id, a.suspended_since is not null as suspended, a.probe_at as "probeAt",
      case when a.suspended_since is not null then greatest(0, 1 - l.probes) else 0 end as probes,
      nullif(a.next_dial_at, '-infinity') as "nextDialAt",
      gateway_ceiling(g.max_concurrent_calls, a.concurrency_cap, a.concurrency_changed_at, statement_timestamp()) - l.live
        - transfer_lines_of(g.id) as lines,
      gateway_ceiling(g.max_concurrent_calls, a.concurrency_cap, a.concurrency_changed_at, statement_timestamp())
        - gateway_reserve(g.reserved_calls, g.max_concurrent_calls) - l."ofBatches" as unreserved,
      1 + ceil(gateway_rate(g.calls_per_second, a.pace, a.pace_changed_at, statement_timestamp()))::integer - l.undialed
        as turns,
      operator_limit('maxConcurrentCallsPerAccount')::integer - live_calls_of_account(g.account_id) as "ofAccount",
      l."liveOfBatch",
      ${agentRoom} as agents
    from gateways g
    join gateway_admission a on a.gateway_id = g.id
    cross join lateral (
      select coalesce(sum(n.live), 0)::integer as live, coalesce(sum(n.undialed), 0)::integer as undialed,
        coalesce(sum(n.live) filter (where n.lane <> ''), 0)::integer as "ofBatches",
        coalesce(sum(n.probes), 0)::integer as probes, coalesce(json_object_agg(n.lane, n.live)
          filter (where n.lane <> ''), '{}') as "liveOfBatch"
      from (
        select x.lane, count(*) as live, count(*) filter (where x.phase = 'claimed') as undialed,
          count(*) filter (where x.phase = 'claimed' or x.dialed_at >= a.suspended_since) as probes
        from call_attempts x
        where x.gateway_id = g.id and x.phase in ('claimed', 'dialing', 'ringing', 'answered')
        group by x.lane) n
    ) l
    where g.id = any (${[...gatewayIds]}::text[]) and (${accountId}::text is null or g.account_id = ${accountId})`.execute(
    tx,
  );
  return {
    gateways: new Map(rows.map(({ id, ...room }) => [id, room])),
    agents: rows[0]?.agents ?? noAgents,
  };
}
