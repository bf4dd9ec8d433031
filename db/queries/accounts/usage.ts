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
