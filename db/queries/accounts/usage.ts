import { sql } from 'kysely';
import type { Cost } from '../../../domain/account/money.js';
import type { Db } from '../../client.js';

/** The usage of an account in a span of days. */
export interface Usage extends Cost {
  /** People called for the first time. */
  readonly calls: number;
  /** Attempts that reached the carrier, first ones and retries. */
  readonly attempts: number;
  /** Calls that were answered and are over. */
  readonly answered: number;
  readonly talkSeconds: number;
}

export interface AccountUsage {
  readonly today: Usage;
  readonly thisMonth: Usage;
  /** Calls at the carrier right now. */
  readonly liveCalls: number;
  readonly unfinishedBatches: number;
  /** Bytes of the files of all batches. */
  readonly batchFileBytes: number;
}

const sums = sql`
  json_build_object('calls', coalesce(sum(calls), 0), 'attempts', coalesce(sum(attempts), 0),
    'answered', coalesce(sum(answered), 0), 'talkSeconds', coalesce(sum(talk_seconds), 0),
    'costMicros', coalesce(sum(cost), 0)::text, 'unpriced', coalesce(sum(unpriced), 0))`;

/**
 * What an account uses and has used, in days and months of UTC. Counted by the database as it happens (usage_days) or by
 * an index of few rows, so that asking costs the same whatever the account has called.
 */
export async function accountUsage(db: Db, accountId: string, now: Date): Promise<AccountUsage> {
  const { rows } = await sql<{ [Name in keyof AccountUsage]: AccountUsage[Name] }>`
    with days as (
      select day = (${now}::timestamptz at time zone 'UTC')::date as today, calls, attempts, answered, talk_seconds, cost, unpriced
      from usage_days
      where account_id = ${accountId}
        and day >= date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date
        and day <= (${now}::timestamptz at time zone 'UTC')::date
    )
    select
      (select ${sums} from days where today) as "today",
      (select ${sums} from days) as "thisMonth",
      (select count(*)::integer from call_attempts
        where account_id = ${accountId} and phase in ('dialing', 'ringing', 'answered')) as "liveCalls",
      (select count(*)::integer from batches
        where account_id = ${accountId} and status not in ('parse_failed', 'cancelled', 'completed'))
        as "unfinishedBatches",
      (select coalesce(sum(byte_size), 0)::float8 from batch_files where account_id = ${accountId})
        as "batchFileBytes"`.execute(db);
  const [usage] = rows;
  if (usage === undefined) throw new Error('A select without a from answers one row.');
  return usage;
}

/** Rows that one statement adds up. */
const foldedAtOnce = 10_000;

/**
 * Adds the rows of each account and day up to one, of days for which nothing is counted any more. Each connection that has counted has a row of
 * its own, and quiet accounts get a new connection for nearly every call: in years these would be as many as the calls, and remain
 * when those are deleted.
 */
export async function foldOldUsage(db: Db): Promise<void> {
  for (let left = true; left;) {
    const { rows } = await sql<{ rows: number }>`
      with old as (
        delete from usage_days where (account_id, day, backend) in (
          select account_id, day, backend from usage_days
          where backend <> 0 and day < (clock_timestamp() at time zone 'UTC')::date - 1
          order by day limit ${foldedAtOnce} for update skip locked)
        returning *
      ),
      folded as (
        -- In one order, so that two dialers that do this cannot deadlock.
        insert into usage_days as u (account_id, day, backend, calls, attempts, answered, talk_seconds, cost, unpriced)
        select account_id, day, 0, sum(calls), sum(attempts), sum(answered), sum(talk_seconds), sum(cost), sum(unpriced)
        from old group by account_id, day order by account_id, day
        on conflict (account_id, day, backend) do update set
          calls = u.calls + excluded.calls, attempts = u.attempts + excluded.attempts,
          answered = u.answered + excluded.answered, talk_seconds = u.talk_seconds + excluded.talk_seconds,
          cost = u.cost + excluded.cost, unpriced = u.unpriced + excluded.unpriced
      )
      select count(*)::integer as rows from old`.execute(db);
    left = rows[0]?.rows === foldedAtOnce;
  }
}
