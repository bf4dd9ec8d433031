import { sql } from 'kysely';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { Db } from '../../client.js';
import type { AuditScope, Violation } from './invariants.js';
import { pageOfCalls } from './page-of-calls.js';
import { inSnapshot, ofAccount } from './snapshot.js';

/** Why an attempt ended that the pre-dial endpoint did not clear. */
const unclearedReasons: EndReason[] = ['pre_dial_refused', 'pre_dial_unanswered'];

/** Clocks of dialers and of the database, also of one that another has replaced, may be this far apart. */
const clockSeconds = 60;

const utc = (instant: string) => sql`to_char(${sql.raw(instant)} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')`;

export interface CallsPage {
  readonly violations: readonly Violation[];
  readonly calls: number;
  /** Start of the next page; null after the last. */
  readonly after: string | null;
}

/**
 * Judges a page of calls with their attempts, oldest first: by the primary keys of both, so that a page costs the same
 * however many calls there are.
 *
 * @param after id of the last call of the page before; null: from the beginning
 */
export async function auditCalls(db: Db, scope: AuditScope, after: string | null): Promise<CallsPage> {
  const { since } = scope;
  return inSnapshot(db, async (tx) => {
    const page = await pageOfCalls(tx, scope, after);
    if (page === null) return { violations: [], calls: 0, after: null };
    const { from, last, calls, next } = page;
    const { rows: violations } = await sql<Violation>`
      with page as materialized (
        select c.id, c.batch_id, c.settled, c.status, c.attempts_made, c.not_before from calls c
        where c.id > ${from}::uuid and c.id <= ${last}::uuid
          and c.type = 'outbound' and ${ofAccount(scope, 'c')}
          and ${since === null ? sql`true` : sql`c.created_at >= ${since}`}
      ),
      begun as materialized (
        select b.id, b.started_at from batches b where b.id in (select p.batch_id from page p)
      ),
      made as materialized (
        select a.call_id, p.batch_id, a.number, a.phase, a.invite, a.dialed_at, a.not_after, a.erased, a.again, a.reason, a.ended_at,
          lag(a.reason) over w as before_reason,
          p.attempts_made, p.not_before, lag(a.ended_at) over w as before_ended_at,
          lag(a.number) over w as before, lag(a.phase) over w as before_phase, lag(a.outcome) over w as before_outcome, lag(a.answered_by) over w as before_answered_by,
          lag(a.next_attempt_at) over w as planned_at
        from page p
        -- Looked up call by call: how many attempts lie in a page is not known to the planner, and if it guesses one, it
        -- compares each call with each attempt.
        cross join lateral (select * from call_attempts a where a.call_id = p.id offset 0) a
        window w as (partition by a.call_id order by a.number)
      ),
      counted as (
        select p.id, p.settled, p.attempts_made, m.*
        from page p cross join lateral (
          select count(*) filter (where a.number <= p.attempts_made and a.phase = 'ended') as ended,
            count(*) filter (where a.number > p.attempts_made) as later,
            coalesce(max(a.number), 0) as last, count(*) filter (where a.phase <> 'ended') as unfinished
          from call_attempts a where a.call_id = p.id
        ) m
      )
      select 'attempts-in-order' as invariant, 'call_' || m.call_id as id,
        case when m.number > 1 and m.before is distinct from m.number - 1 then 'attempt ' || m.number || ' has none before it'
          when m.before_phase <> 'ended' then 'attempt ' || m.number || ' exists while the one before it is ' || m.before_phase
          else 'attempt ' || m.number || ' was dialed at ' || to_char(m.dialed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
            || ', before its time' end as details
      from made m
      where (m.number > 1 and m.before is distinct from m.number - 1) or m.before_phase <> 'ended'
        or m.dialed_at < m.planned_at
        -- The recipient's own instant, which cannot be changed once it was dialed.
        or m.number = 1 and m.phase not in ('queued', 'claimed') and m.dialed_at < m.not_before
      union all
      -- The clock of the dialer says when an attempt ended, that of the database when the next one was dialed.
      select 'attempts-in-order', 'call_' || m.call_id, 'attempt ' || m.number || ' was dialed at ' || ${utc('m.dialed_at')}
        || ', and the one before it ended at ' || ${utc('m.before_ended_at')}
      from made m
      where m.phase not in ('queued', 'claimed') and m.dialed_at < m.before_ended_at - make_interval(secs => ${clockSeconds})
      union all
      select 'attempts-in-order', 'call_' || m.call_id, 'attempt ' || m.number || ' was dialed at ' || ${utc('m.dialed_at')}
        || ', and ' || b.id || ' began at ' || ${utc('b.started_at')}
      from made m join begun b on b.id = m.batch_id
      where m.phase not in ('queued', 'claimed') and m.dialed_at < b.started_at - make_interval(secs => ${clockSeconds})
      union all
      select 'retry-plan', 'call_' || m.call_id, 'attempt ' || m.number || ' was dialed after one that '
        || case when m.before_outcome = 'answered' then 'was answered' else 'planned none' end
      from made m
      where m.dialed_at is not null and m.phase <> 'queued' and m.before is not null and not m.erased and not m.again
        and (m.planned_at is null or m.before_outcome = 'answered' and m.before_answered_by is distinct from 'machine')
      union all
      select 'attempt-counts', 'call_' || m.call_id, 'attempt ' || m.number || ' is ' || m.phase || ' without an INVITE'
      from made m
      where m.phase in ('dialing', 'ringing', 'answered') and (m.invite < 1 or m.dialed_at is null)
      union all
      select 'attempt-counts', 'call_' || m.call_id, 'attempt ' || m.number || ' is counted, and has no INVITE'
      from made m
      where m.phase = 'ended' and m.number <= m.attempts_made and (m.invite < 1 or m.dialed_at is null)
      union all
      select 'attempt-counts', 'call_' || k.id,
        'counts ' || k.attempts_made || ' attempts, and has ' || k.ended || ' that ended, up to number ' || k.last
      from counted k
      where k.ended <> k.attempts_made or k.later > 1 or k.last > k.attempts_made + 1
      union all
      select 'settled-calls', 'call_' || k.id, 'is settled, and an attempt of it is not over'
      from counted k where k.settled and k.unfinished > 0
      union all
      select 'live-twice', 'call_' || k.id, 'has ' || k.unfinished || ' attempts that are not over'
      from counted k where k.unfinished > 1
      union all
      select 'pre-dial', 'call_' || m.call_id, 'attempt ' || m.number || ' was dialed at '
        || to_char(m.dialed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') || ', after the endpoint had refused it or said nothing'
      from made m
      where m.phase not in ('queued', 'claimed') and (
        m.reason = any (${unclearedReasons}::text[]) and m.dialed_at > m.ended_at
        or m.before_reason = any (${unclearedReasons}::text[]) and m.dialed_at is not null and not m.again)
      union all
      select 'calling-window', 'call_' || m.call_id, 'attempt ' || m.number || ' was dialed at '
        || to_char(m.dialed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"') || ', its window had closed at '
        || to_char(m.not_after at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      from made m where m.phase not in ('queued', 'claimed') and m.dialed_at >= m.not_after`.execute(tx);
    return { violations, calls, after: next };
  });
}
