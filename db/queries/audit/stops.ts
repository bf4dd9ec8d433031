import { sql } from 'kysely';
import { reasonOfDropped, stopNames } from '../../../domain/batch/stops.js';
import type { Db } from '../../client.js';
import type { AuditedBatch } from './batches.js';
import type { Violation } from './invariants.js';
import { violationsOf } from './snapshot.js';

/** The workflow has a timer for the instant, and the watchdog looks each minute. */
const lateSeconds = 300;
const mostCases = 1_000;

const utc = (instant: string) => sql`to_char(${sql.raw(instant)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')`;

/** Judges a batch by its stop conditions: as they are, for a batch that runs; as they were when it stopped. */
export async function auditStop(
  db: Db,
  { id: batchId, stops }: Pick<AuditedBatch, 'id' | 'stops'>,
): Promise<Violation[]> {
  if (!stops) return [];
  const reasons = stopNames.map((name) => reasonOfDropped(name));
  return violationsOf(
    db,
    sql<Violation>`
      with batch as materialized (
        select b.*, z.reason as stop_reason from batches b
        left join unnest(${stopNames}::text[], ${reasons}::text[]) as z (name, reason) on z.name = b.stopped_by
        where b.id = ${batchId}
      )
      (select 'stops' as invariant, 'call_' || a.call_id as id, 'attempt ' || a.number || ' was dialed at ' || ${utc('a.dialed_at')}
        || ', after ' || b.id || ' had stopped at ' || ${utc('b.stopped_at')} as details
      from batch b join calls c on c.batch_id = b.id
      join call_attempts a on a.call_id = c.id and a.phase not in ('queued', 'claimed') and a.dialed_at > b.stopped_at
      where b.stopped_by is not null limit ${mostCases})
      union all
      (select 'stops', 'call_' || c.id, 'was not called because ' || b.id || ' ended, and says ' || coalesce(c.reason, 'no reason')
        || ' in place of ' || b.stop_reason
      from batch b join calls c on c.batch_id = b.id
      where b.completed_at is not null and b.stop_reason <> c.reason and c.status = 'cancelled'
        and c.reason = any (${[...reasons, reasonOfDropped(null)]}::text[]) limit ${mostCases})
      union all
      select 'stops', b.id, 'stopped by ' || b.stopped_by || ' and ended as ' || b.status
      from batch b where b.stopped_by is not null and b.completed_at is not null and b.status <> 'completed'
      union all
      select 'stops', b.id, 'stopped after ' || b.stop_after_answered || ' answers, and has ' || k.answered
      from batch b join batch_counters k on k.batch_id = b.id
      where b.stopped_by = 'answered' and k.answered < b.stop_after_answered
      union all
      select 'stops', b.id, 'stopped at a cost of ' || b.max_cost || ' millionths, and has cost ' || cost_of_batch(b.account_id, b.id)
      from batch b where b.stopped_by = 'maxCost' and cost_of_batch(b.account_id, b.id) < b.max_cost
      union all
      select 'stops', b.id, 'stopped at ' || ${utc('b.stopped_at')} || ', before its until'
      from batch b where b.stopped_by = 'until' and b.stopped_at < b.stop_at
      union all
      select 'stops', b.id, 'is ' || b.status || ', and was to stop at ' || ${utc('b.stop_at')}
      from batch b where b.status in ('scheduled', 'running')
        and b.stop_at < clock_timestamp() - make_interval(secs => ${lateSeconds})
      union all
      select 'stops', b.id, 'is running, and has had ' || n.answered || ' answers and ' || n.successes || ' successes for minutes'
      from batch b cross join lateral (
        select count(*) filter (where c.status = 'answered') as answered, count(*) filter (where c.success) as successes
        from calls c where c.batch_id = b.id and c.updated_at < clock_timestamp() - make_interval(secs => ${lateSeconds})) n
      where b.status = 'running' and (n.answered >= b.stop_after_answered or n.successes >= b.stop_after_success)
      union all
      select 'stops', b.id, 'is running, and its calls have cost ' || n.cost || ' of ' || b.max_cost || ' millionths for minutes'
      from batch b cross join lateral (
        select sum(a.cost) as cost from calls c join call_attempts a on a.call_id = c.id
        where c.batch_id = b.id and a.ended_at < clock_timestamp() - make_interval(secs => ${lateSeconds})) n
      where b.status = 'running' and n.cost >= b.max_cost
      union all
      (select 'stops', 'call_' || a.call_id, 'attempt ' || a.number || ' was dialed at ' || ${utc('a.dialed_at')} || ', minutes after '
        || b.stop_after_answered || ' answers, after which ' || b.id || ' stops'
      from batch b
      cross join lateral (
        select coalesce(x.answered_at, x.ended_at) as at from calls c join call_attempts x on x.call_id = c.id
        where c.batch_id = b.id and x.phase = 'ended' and x.outcome = 'answered'
        order by 1 offset b.stop_after_answered - 1 limit 1) n
      join calls c on c.batch_id = b.id
      join call_attempts a on a.call_id = c.id and a.phase not in ('queued', 'claimed')
        and a.dialed_at > n.at + make_interval(secs => ${lateSeconds})
      -- Whoever is called again has not answered any more; and an answer before the condition was set stopped nothing.
      where not exists (select 1 from call_attempts g where g.batch_id = b.id and g.again)
        and a.dialed_at > coalesce((
          select max(l.at) + make_interval(secs => ${lateSeconds}) from audit_log l
          where l.account_id = b.account_id and l.target = b.id and l.action = 'batch-call.update'
            and l.details -> 'fields' ? 'stopAfter'), '-infinity')
      limit ${mostCases})`,
  );
}
