import { sql } from 'kysely';
import { type BatchStatus, finishedStatuses } from '../../../domain/batch/batch-call.js';
import type { DialersNow } from '../../../domain/batch/standstill.js';
import type { AgentRoom } from '../../../domain/batch/waiting-row.js';
import type { Unsent } from '../../../domain/call/unsent.js';
import type { Db } from '../../client.js';
import { mostCounted } from '../counted.js';
import { agentRoom } from '../dialer/agent-slots.js';
import { unsentOf } from '../dialer/gateway-health.js';
import { dialersColumn } from '../dialer/lease.js';

export interface GatewayOverview {
  readonly id: string;
  readonly name: string;
  readonly liveCalls: number;
  /** In force at this moment: what is configured, less what the carrier or the operator leaves of it. */
  readonly maxConcurrentCalls: number;
  /** Of these, lines that batches leave free. */
  readonly reservedCalls: number;
  readonly callsPerSecond: number;
  readonly dialedInLastMinute: number;
  /** Calls per second over the last ten seconds. */
  readonly callsPerSecondUsed: number;
  readonly suspendedSince: Date | null;
  readonly suspendedReason: string | null;
  readonly probeAt: Date | null;
  /** Why it sends no call; null: it does, as far as is known. */
  readonly unsent: Unsent | null;
}

export interface AccountOverview {
  /** Counted up to `mostCounted` each; statuses without batches are missing. */
  readonly batches: Readonly<Partial<Record<BatchStatus, number>>>;
  /** Running ones that are paused. */
  readonly paused: number;
  readonly live: { readonly dialing: number; readonly ringing: number; readonly answered: number };
  /** Own calls by the region that their gateway names, from their claim on. */
  readonly ownByRegion: Readonly<Record<string, number>>;
  /** Of all accounts. */
  readonly agents: AgentRoom;
  /** Calls that the ready agent workers of each region take at once when all their processes have loaded. */
  readonly most: Readonly<Record<string, number>>;
  readonly gateways: readonly GatewayOverview[];
  readonly oldestDue: { readonly dueAt: string; readonly batchId: string | null } | null;
  /** For all accounts. */
  readonly dialers: DialersNow;
  /** Deliveries that have not arrived, counted up to `mostCounted`, and when the first of them was made. */
  readonly backlog: { readonly count: number; readonly oldestAt: string | null };
}

const live = sql`('claimed', 'dialing', 'ringing', 'answered')`;

/**
 * How the dialing of an account goes at this moment. Everything is read from what is unfinished or from counters: history costs
 * nothing but the count of batches by state, which ends at `mostCounted`.
 *
 * @param statuses to count batches of
 */
export async function overviewOf(
  db: Db,
  accountId: string,
  statuses: readonly BatchStatus[],
): Promise<AccountOverview> {
  const { rows } = await sql<{ readonly overview: Omit<AccountOverview, 'gateways'> }>`
    with own as materialized (
      select a.phase, a.gateway_id from call_attempts a where a.account_id = ${accountId} and a.phase in ${live}
    ),
    queues as materialized (
      select id, gateway_id from batches
      where account_id = ${accountId} and status = 'running' and not paused
    )
    select json_build_object(
      'batches', (select json_object_agg(s.status, n.count)
        from unnest(${[...statuses]}::text[]) as s (status)
        cross join lateral (select count(*) as count from (
          select 1 from batches b where b.account_id = ${accountId} and b.status = s.status limit ${mostCounted}) n) n),
      'paused', (select count(*) from batches b
        where b.account_id = ${accountId} and b.status = 'running' and b.paused),
      'live', (select json_build_object('dialing', count(*) filter (where phase = 'dialing'),
        'ringing', count(*) filter (where phase = 'ringing'), 'answered', count(*) filter (where phase = 'answered'))
        from own),
      'ownByRegion', (select coalesce(json_object_agg(t.region, t.calls), '{}') from (
        select g.sip_region as region, count(*) as calls from own join gateways g on g.id = own.gateway_id
        group by g.sip_region) t),
      'agents', ${agentRoom},
      'most', (select coalesce(json_object_agg(w.region, w.most), '{}') from (
        select region, sum(coalesce(most_slots, slots)) as most from present_agent_workers() where state = 'ready'
        group by region) w),
      'oldestDue', (
        select json_build_object('dueAt', d.due_at, 'batchId', nullif(d.lane, '')) from (
          select q.id as lane, q.gateway_id from queues q
          union all
          select '', g.id from gateways g where g.account_id = ${accountId} and g.direction = 'outbound'
        ) l
        cross join lateral (
          select a.lane, a.due_at from call_attempts a
          where a.gateway_id = l.gateway_id and a.lane = l.lane and a.phase = 'queued'
            and a.due_at <= statement_timestamp()
          order by a.due_at limit 1
        ) d
        order by d.due_at limit 1),
      'dialers', ${dialersColumn},
      'backlog', (
        select json_build_object('count', count(*), 'oldestAt', min(w.created_at)) from (
          select created_at from webhook_deliveries
          where account_id = ${accountId} and status = 'pending' order by id limit ${mostCounted}) w)
    ) as overview`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The overview gave no answer.');
  return { ...row.overview, gateways: await gatewaysOf(db, accountId) };
}

async function gatewaysOf(db: Db, accountId: string): Promise<GatewayOverview[]> {
  const { rows } = await sql<GatewayOverview>`
    select g.id, g.name, coalesce(l.calls, 0) as "liveCalls",
      greatest(0, gateway_ceiling(g.max_concurrent_calls, a.concurrency_cap, a.concurrency_changed_at, statement_timestamp()))
        as "maxConcurrentCalls",
      gateway_reserve(g.reserved_calls, g.max_concurrent_calls) as "reservedCalls",
      gateway_rate(g.calls_per_second, a.pace, a.pace_changed_at, statement_timestamp()) as "callsPerSecond",
      d.of_minute as "dialedInLastMinute", d.of_ten_seconds / 10.0::float8 as "callsPerSecondUsed",
      a.suspended_since as "suspendedSince", a.suspended_reason as "suspendedReason", a.probe_at as "probeAt",
      ${unsentOf(sql`g.id`)} as unsent
    from gateways g
    join gateway_admission a on a.gateway_id = g.id
    left join (
      select x.gateway_id, count(*)::integer as calls from call_attempts x
      where x.account_id = ${accountId} and x.phase in ('dialing', 'ringing', 'answered')
      group by x.gateway_id) l on l.gateway_id = g.id
    cross join lateral (
      select coalesce(sum(r.dials), 0)::integer as of_minute,
        coalesce(sum(r.dials) filter (where r.at >= z.piece - interval '10 seconds' and r.at < z.piece), 0)::integer
          as of_ten_seconds
      from (select date_bin('5 seconds', statement_timestamp(), 'epoch') as piece) z
      left join recent_dials r on r.gateway_id = g.id and r.at > z.piece - interval '60 seconds'
    ) d
    where g.account_id = ${accountId} and g.direction = 'outbound'
    order by g.created_at desc, g.id desc`.execute(db);
  return rows;
}

/** Which of these batches are the account's and not over. */
export async function unfinishedOf(db: Db, accountId: string, batchIds: readonly string[]): Promise<string[]> {
  if (batchIds.length === 0) return [];
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', sql<string>`(select unnest(${[...batchIds]}::text[]))`)
    .where('status', 'not in', [...finishedStatuses])
    .execute();
  return rows.map(({ id }) => id);
}

/** Forgets what was dialed more than an hour ago. */
export async function forgetOldDials(db: Db): Promise<void> {
  await sql`delete from recent_dials where at < now() - interval '1 hour'`.execute(db);
}
