import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { AuditScope, Violation } from './invariants.js';
import { inSnapshot, ofAccount } from './snapshot.js';

export interface AuditedBatch {
  readonly id: string;
  readonly accountId: string;
  /** Its calling window; null if it has none. */
  readonly window: CallingWindow | null;
  readonly timezone: string;
  /** When its window was last changed; attempts from before that were judged by another. */
  readonly windowSince: Date | null;
  /** Whether it has a stop condition, or has stopped by one. */
  readonly stops: boolean;
}

const batchesAtOnce = 200;

/** A page of the batches in the scope, by id: those after this one. */
export async function batchesToAudit(db: Db, scope: AuditScope, after: string | null): Promise<AuditedBatch[]> {
  const { since } = scope;
  const { rows } = await inSnapshot(db, (tx) =>
    sql<AuditedBatch>`
      select b.id, b.account_id as "accountId", b.calling_window as window, b.timezone, case when b.calling_window is not null then (
          select max(l.at) from audit_log l
          where l.account_id = b.account_id and l.target = b.id and l.action = 'batch-call.update'
            and l.details -> 'fields' ? 'callingWindow') end as "windowSince",
        b.stopped_by is not null or num_nonnulls(b.stop_at, b.stop_after_answered, b.stop_after_success, b.max_cost) > 0 as stops
      from batches b
      where ${ofAccount(scope, 'b')} and ${after === null ? sql`true` : sql`b.id > ${after}`}
        and ${since === null ? sql`true` : sql`(b.completed_at is null or b.completed_at >= ${since})`}
      order by b.id limit ${batchesAtOnce}`.execute(tx),
  );
  return rows;
}

/**
 * Judges one batch by its own row, its counters and its calls, all of one state.
 *
 * @param deliveriesSince webhook deliveries from before have been deleted; null: none has
 */
export async function auditBatch(
  db: Db,
  { accountId, id: batchId }: Pick<AuditedBatch, 'accountId' | 'id'>,
  deliveriesSince: Date | null,
): Promise<Violation[]> {
  const { rows } = await inSnapshot(db, (tx) =>
    sql<Violation>`
      with counted as materialized (
        select count(*) filter (where c.status = 'pending') as pending,
          count(*) filter (where c.status = 'dialing') as dialing,
          count(*) filter (where c.status = 'in-progress') as in_progress,
          count(*) filter (where c.status = 'retrying') as retrying,
          count(*) filter (where c.status = 'answered') as answered,
          count(*) filter (where c.status = 'failed') as failed,
          count(*) filter (where c.status = 'not-answered') as not_answered,
          count(*) filter (where c.status = 'rejected') as rejected,
          count(*) filter (where c.status = 'missed') as missed,
          count(*) filter (where c.status = 'abandoned') as abandoned,
          count(*) filter (where c.status = 'cancelled') as cancelled,
          coalesce(sum(c.attempts_made), 0) as attempts,
          count(*) filter (where c.status = 'answered' and c.answered_by = 'human') as human,
          count(*) filter (where c.status = 'answered' and c.answered_by = 'machine') as machine
        from calls c where c.batch_id = ${batchId}
      ),
      compared as (
        select b.id, z.name, z.kept, z.counted
        from batches b left join batch_counters k on k.batch_id = b.id cross join counted n
        cross join lateral (values
          ('pending', k.pending, n.pending), ('dialing', k.dialing, n.dialing),
          ('in-progress', k.in_progress, n.in_progress), ('retrying', k.retrying, n.retrying),
          ('answered', k.answered, n.answered), ('failed', k.failed, n.failed),
          ('not-answered', k.not_answered, n.not_answered), ('rejected', k.rejected, n.rejected),
          ('missed', k.missed, n.missed), ('abandoned', k.abandoned, n.abandoned),
          ('cancelled', k.cancelled, n.cancelled), ('attempts', k.attempts, n.attempts),
          ('human', k.human, n.human), ('machine', k.machine, n.machine)
        ) as z (name, kept, counted)
        where b.id = ${batchId} and b.status not in ('parsing', 'parse_failed') and coalesce(z.kept, -1) <> z.counted
      )
      select 'batch-counters' as invariant, p.id,
        string_agg(p.name || ' is kept as ' || coalesce(p.kept::text, 'nothing') || ' and counted as ' || p.counted, ', ')
          as details
      from compared p group by p.id
      union all
      select 'settled-calls', b.id, 'is ' || b.status || ', and ' || o.open || ' of its calls are open'
      from batches b cross join counted n
      cross join lateral (select n.pending + n.dialing + n.in_progress + n.retrying as open) o
      where b.id = ${batchId} and b.status in ('completed', 'cancelled') and o.open > 0
      union all
      select 'figures', ${batchId}, string_agg(f.dimension || ' ' || f.key || ' is kept as ' || f.kept || ' and counted as '
          || f.counted, ', ' order by f.dimension, f.key)
      from (
        select z.dimension, z.key, z.kept, z.counted from (
          select dimension, key,
            concat_ws(' ', sum(calls * kept), sum(attempts * kept), sum(answered * kept), sum(human * kept), sum(machine * kept),
              sum(success * kept), sum(talk_ms * kept), sum(cost * kept), sum(unpriced * kept)) as kept,
            concat_ws(' ', sum(calls * (1 - kept)), sum(attempts * (1 - kept)), sum(answered * (1 - kept)),
              sum(human * (1 - kept)), sum(machine * (1 - kept)), sum(success * (1 - kept)), sum(talk_ms * (1 - kept)),
              sum(cost * (1 - kept)), sum(unpriced * (1 - kept))) as counted
          from (
            select dimension, key, calls, attempts, answered, human, machine, success, talk_ms, cost, unpriced, 1 as kept
            from figures where account_id = ${accountId} and batch_id = ${batchId}
            union all
            select k.dimension, k.key, c.calls, c.attempts, c.answered, c.human, c.machine, c.success, c.talk_ms, c.cost, c.unpriced, 1
            from figure_changes c cross join lateral figure_keys(
              c.hour, c.attempt, c.status, c.reason, c.sip_status_code, c.answered_by, c.phone_number, c.variant) k
            where c.account_id = ${accountId} and c.batch_id = ${batchId}
            union all
            select k.dimension, k.key, c.calls, c.attempts, c.answered, c.human, c.machine, 0, c.talk_ms, 0, 0, 0
            from counted_figures_of_variants(${accountId}, ${batchId}) c cross join lateral figure_keys(
              c.hour, c.attempt, c.status, c.reason, c.sip_status_code, c.answered_by, c.phone_number, c.variant) k
            union all
            select k.dimension, k.key, 0, 0, 0, 0, 0, 0, 0, s.cost, s.unpriced, 0
            from counted_costs(${accountId}, ${batchId}) s cross join lateral figure_keys(
              s.hour, s.attempt, s.status, s.reason, s.sip_status_code, s.answered_by, s.phone_number, s.variant) k
            union all
            select k.dimension, k.key, 0, 0, 0, 0, 0, s.success, 0, 0, 0, 0
            from counted_successes_of_variants(${accountId}, ${batchId}) s cross join lateral figure_keys(
              s.hour, s.attempt, s.status, s.reason, s.sip_status_code, s.answered_by, s.phone_number, s.variant) k
          ) both_ways group by dimension, key
        ) z where z.kept <> z.counted order by z.dimension, z.key limit 10
      ) f having count(*) > 0
      union all
      select 'timeline', ${batchId}, string_agg(to_char(f.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' is kept as ' || f.kept
          || ' and counted as ' || f.counted, ', ' order by f.at, f.step)
      from (
        select at, step, concat_ws(' ', sum(dialed * kept), sum(answered * kept), sum(ended * kept)) as kept,
          concat_ws(' ', sum(dialed * (1 - kept)), sum(answered * (1 - kept)), sum(ended * (1 - kept))) as counted
        from (
          select at, step, dialed, answered, ended, 1 as kept from timeline
          where account_id = ${accountId} and batch_id = ${batchId}
          union all
          select start_of_step(m.at, s.step), s.step, m.dialed, m.answered, m.ended, m.kept
          from (
            select p.*, 1 as kept from figure_changes c
            cross join lateral minutes_passed(c.dialed_minute, c.answered_minute, c.ended_minute, c.attempts) p
            where c.account_id = ${accountId} and c.batch_id = ${batchId}
            union all
            select t.*, 0 from counted_timeline(${accountId}, ${batchId}) t
          ) m cross join (values (60), (3600), (86400)) s (step)
        ) both_ways group by at, step
        having sum(dialed * (2 * kept - 1)) <> 0 or sum(answered * (2 * kept - 1)) <> 0 or sum(ended * (2 * kept - 1)) <> 0
        order by at, step limit 10
      ) f having count(*) > 0
      union all
      select 'terminal-webhook', b.id, 'is ' || b.status || ', and has announced it ' || (
          select count(*) from webhook_deliveries d where d.batch_id = b.id and d.event = 'batchcall-completed') || ' times'
      from batches b
      where b.id = ${batchId} and b.completed_at is not null and b.purged_at is null
        and b.webhook_endpoint is not null and 'batchcall-completed' = any (b.webhook_events)
        and ${deliveriesSince === null ? sql`true` : sql`b.completed_at > ${deliveriesSince}`}
        and 1 <> (select count(*) from webhook_deliveries d
          where d.batch_id = b.id and d.event = 'batchcall-completed')`.execute(tx),
  );
  return rows;
}

/** An attempt that was dialed, and where its callee may be. */
export interface DialedAttempt {
  readonly callId: string;
  readonly position: number;
  readonly attempt: number;
  readonly dialedAt: Date;
  readonly zones: readonly string[] | null;
}

const callsAtOnce = 10_000;

export interface DialedPage {
  readonly dialed: readonly DialedAttempt[];
  /** Place in the file after which the next page begins; null after the last. */
  readonly after: number | null;
}

/** The attempts of a batch that were dialed since an instant, in the order of its file. */
export async function dialedOfBatch(db: Db, batchId: string, since: Date | null, after: number): Promise<DialedPage> {
  return inSnapshot(db, async (tx) => {
    const { rows: pages } = await sql<{ calls: number; last: number | null }>`
      select count(*)::integer as calls, max(p.position) as last from (
        select position from calls where batch_id = ${batchId} and position > ${after}
        order by position limit ${callsAtOnce}) p`.execute(tx);
    const { calls, last } = pages[0] ?? { calls: 0, last: null };
    if (last === null) return { dialed: [], after: null };
    const { rows: dialed } = await sql<DialedAttempt>`
      select c.id as "callId", c.position, a.number as attempt, a.dialed_at as "dialedAt", c.time_zones as zones
      from calls c join call_attempts a on a.call_id = c.id
      where c.batch_id = ${batchId} and c.position > ${after} and c.position <= ${last}
        and a.phase not in ('queued', 'claimed') and a.dialed_at is not null and c.erased_at is null
        and ${since === null ? sql`true` : sql`a.dialed_at > ${since}`}`.execute(tx);
    return { dialed, after: calls < callsAtOnce ? null : last };
  });
}
