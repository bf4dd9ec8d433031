import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AuditScope } from './invariants.js';
import { pageOfCalls } from './page-of-calls.js';
import { inSnapshot, ofAccount } from './snapshot.js';

/** A change of limits is written down before it is committed. */
const changeSeconds = 60;

/** A number and the limits that it has now, each with since when it has it. */
export interface LimitedNumber {
  readonly id: string;
  readonly accountId: string;
  readonly e164: string;
  readonly maxCallsPerDay: number | null;
  readonly maxSince: Date | null;
  readonly minSecondsBetweenCalls: number | null;
  readonly spacingSince: Date | null;
}

/** Numbers that have limits. By which ones calls before the last change were judged is not kept. */
export async function limitedNumbers(db: Db, scope: AuditScope): Promise<readonly LimitedNumber[]> {
  const since = (field: string) => sql`(
    select max(l.at) + make_interval(secs => ${changeSeconds}) from audit_log l
    where l.account_id = n.account_id and l.target = n.number_id and l.action = 'phone-number.update'
      and l.details -> 'fields' ? ${field})`;
  const { rows } = await inSnapshot(db, (tx) =>
    sql<LimitedNumber>`
      select n.number_id as id, n.account_id as "accountId", n.e164,
        n.max_calls_per_day as "maxCallsPerDay", ${since('maxCallsPerDay')} as "maxSince",
        n.min_seconds_between_calls as "minSecondsBetweenCalls", ${since('minSecondsBetweenCalls')} as "spacingSince"
      from counted_numbers n
      where (n.max_calls_per_day is not null or n.min_seconds_between_calls is not null) and ${ofAccount(scope, 'n')}
      order by n.number_id`.execute(tx),
  );
  return rows;
}

/** An INVITE that a number with limits made: of each attempt, the last. */
export interface DialedFromNumber {
  readonly numberId: string;
  readonly dialedAt: Date;
  /** The day by the number's own clock. */
  readonly day: string;
}

/**
 * A page of all calls, by id: what was dialed from numbers with limits. What was let out and never sent is back in the queue.
 *
 * @param after id of the last call of the page before; null: from the beginning
 */
export async function dialedFromLimited(
  db: Db,
  scope: AuditScope,
  after: string | null,
): Promise<{ readonly dialed: readonly DialedFromNumber[]; readonly after: string | null }> {
  const { since } = scope;
  return inSnapshot(db, async (tx) => {
    const page = await pageOfCalls(tx, scope, after);
    if (page === null) return { dialed: [], after: null };
    const { from, last, next } = page;
    const { rows: dialed } = await sql<DialedFromNumber>`
      with limited as materialized (
        select n.* from counted_numbers n
        where (n.max_calls_per_day is not null or n.min_seconds_between_calls is not null) and ${ofAccount(scope, 'n')}
      )
      select n.number_id as "numberId", a.dialed_at as "dialedAt", (a.dialed_at at time zone n.timezone)::date::text as day
      from calls c
      cross join lateral (select * from call_attempts a where a.call_id = c.id offset 0) a
      join limited n on n.account_id = c.account_id and n.e164 = coalesce(a.caller, c.from_number)
      where c.id > ${from}::uuid and c.id <= ${last}::uuid and c.type = 'outbound'
        and c.account_id in (select account_id from limited) and a.phase not in ('queued', 'claimed')
        -- What ended without a try may have the instant of an INVITE before, which was let out and never sent.
        and (a.phase <> 'ended' or a.number <= c.attempts_made)
        -- What was hung up before anything was heard of its INVITE may never have been sent, and does not count then.
        and not (a.phase = 'ended' and a.outcome = 'abandoned' and a.ringing_at is null and a.sip_status_code is null)
        and a.dialed_at is not null and ${since === null ? sql`true` : sql`a.dialed_at >= ${since}`}`.execute(tx);
    return { dialed, after: next };
  });
}
