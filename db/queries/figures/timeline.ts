import { sql, type RawBuilder } from 'kysely';
import type { TimelineCount, TimelineRange } from '../../../domain/batch/timeline.js';
import type { Db } from '../../client.js';

/*
 * A timeline is kept as sums by minute, hour and day (db/migrations/0060-timeline.sql). Attempts that are over and have not been added
 * up yet, and attempts that are live, are added here, in the same statement and so of the same instant.
 */

/** Whose outbound calls: those of a batch, or all of the account. */
export interface TimelineOwner {
  readonly accountId: string;
  readonly batchId: string | null;
}

const kept = ({ accountId, batchId }: TimelineOwner, step: number): RawBuilder<unknown> =>
  sql`l.account_id = ${accountId} and l.batch_id = ${batchId ?? '*'} and l.step = ${step}`;

/** Minutes of what is not in `timeline` yet: of notes, and of attempts that are live. */
const passing = ({ accountId, batchId }: TimelineOwner): RawBuilder<unknown> => sql`
  select c.dialed_minute, c.answered_minute, c.ended_minute, c.attempts
  from figure_changes c
  where c.account_id = ${accountId} and c.attempts <> 0 and c.dialed_minute is not null
    and ${batchId === null ? sql`true` : sql`c.batch_id = ${batchId}`}
  union all
  select start_of_step(a.dialed_at, 60), start_of_step(a.answered_at, 60), null, 1
  from call_attempts a join calls c on c.id = a.call_id and c.type = 'outbound'
  where a.account_id = ${accountId} and a.phase in ('dialing', 'ringing', 'answered')
    and ${batchId === null ? sql`true` : sql`a.batch_id = ${batchId}`}`;

/** The first and the last minute in which something happened; null if nothing has yet. `now` is the database's. */
export interface TimelineBounds {
  readonly first: Date | null;
  readonly last: Date | null;
  readonly now: Date;
}

export async function timelineBounds(db: Db, owner: TimelineOwner): Promise<TimelineBounds> {
  const { rows } = await sql<TimelineBounds>`
    select min(m.first) as first, max(m.last) as last, clock_timestamp() as now from (
      select min(l.at) as first, max(l.at) as last from timeline l where ${kept(owner, 60)}
      union all
      select min(p.dialed_minute), max(greatest(p.dialed_minute, p.answered_minute, p.ended_minute)) from (${passing(owner)}) p
    ) m`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The bounds of a timeline gave no answer.');
  return row;
}

/** The largest step that is kept and of which this one has a whole number. */
const keptStep = (step: number): number => [86_400, 3_600].find((each) => step % each === 0) ?? 60;

/** What happened in each step of a time in which something did, and how many calls were live when it began. */
export async function timelineOf(
  db: Db,
  owner: TimelineOwner,
  { from, until, step }: TimelineRange,
): Promise<{ readonly liveBefore: number; readonly counts: readonly TimelineCount[] }> {
  const { rows } = await sql<{ liveBefore: number; at: Date | null } & Omit<TimelineCount, 'at'>>`
    with bounds as materialized (
      select start_of_step(${from}::timestamptz, ${step}) as first
    ),
    moved as materialized (
      select e.at, sum(e.dialed) as dialed, sum(e.answered) as answered, sum(e.ended) as ended
      from (${passing(owner)}) p
      cross join lateral minutes_passed(p.dialed_minute, p.answered_minute, p.ended_minute, p.attempts) e
      group by e.at
    ),
    earlier as (
      select l.dialed - l.ended as live from timeline l, bounds b
      where ${kept(owner, 86_400)} and l.at < start_of_step(b.first, 86400)
      union all
      select l.dialed - l.ended from timeline l, bounds b
      where ${kept(owner, 3_600)} and l.at >= start_of_step(b.first, 86400) and l.at < start_of_step(b.first, 3600)
      union all
      select l.dialed - l.ended from timeline l, bounds b
      where ${kept(owner, 60)} and l.at >= start_of_step(b.first, 3600) and l.at < b.first
      union all
      select m.dialed - m.ended from moved m, bounds b where m.at < b.first
    ),
    counted as (
      select start_of_step(z.at, ${step}) as at, sum(z.dialed) as dialed, sum(z.answered) as answered, sum(z.ended) as ended
      from (
        select l.at, l.dialed, l.answered, l.ended from timeline l, bounds b
        where ${kept(owner, keptStep(step))} and l.at >= b.first and l.at < ${until}
        union all
        select m.at, m.dialed, m.answered, m.ended from moved m, bounds b where m.at >= b.first and m.at < ${until}
      ) z
      group by 1
    )
    select (select coalesce(sum(live), 0)::float8 from earlier) as "liveBefore", c.at, c.dialed::float8 as dialed,
      c.answered::float8 as answered, c.ended::float8 as ended
    from bounds left join counted c on true
    order by c.at`.execute(db);
  return {
    liveBefore: rows[0]?.liveBefore ?? 0,
    counts: rows.flatMap(({ at, dialed, answered, ended }) => (at === null ? [] : [{ at, dialed, answered, ended }])),
  };
}
