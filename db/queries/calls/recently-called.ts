import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Who called, at which number of the account, and how long ago the account may have called them. */
export interface CallerBack {
  readonly accountId: string;
  /** Who calls, E.164. */
  readonly caller: string;
  /** The number of the account that is called. */
  readonly number: string;
  readonly days: number;
}

/** The call that a caller answers by calling back. */
export interface RecentCall {
  /** The bare UUID. */
  readonly callId: string;
  readonly metadata: unknown;
  /** Language that the recipient was sent with. */
  readonly language: string | null;
  /** Zones of the recipient. */
  readonly timeZones: readonly string[] | null;
  readonly agentId: string | null;
  /** Version of that agent that is live now; null: it is not active any more. */
  readonly versionId: string | null;
}

/** More of one person's calls are not looked through. */
const mostCalls = 100;

/**
 * Until the transaction ends nobody is erased between the look for their calls and the use of what these say, and no call that
 * came in meanwhile is left out of an erasure.
 */
export const lockPerson = (tx: Db, accountId: string, e164: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended('person ' || ${accountId}::text || ' ' || ${e164}::text, 0))`.execute(
    tx,
  );

/**
 * The call of the account to this caller that a call back is about: of those dialed in the last days the latest by the number
 * that is called now, because that is what the telephone showed; if there is none, the latest by any number of the account. It
 * counts whether or not it was answered, but not if the carrier refused it before it rang: nobody has seen that one.
 *
 * To be asked under `lockPerson`. What has been erased or has outlived its retention is no match.
 */
export async function recentCallTo(
  tx: Db,
  { accountId, caller, number, days }: CallerBack,
): Promise<RecentCall | null> {
  const { rows } = await sql<RecentCall>`
    select c.id as "callId", c.metadata, c.options ->> 'language' as language, c.time_zones as "timeZones",
      c.agent_id as "agentId", d.version_id as "versionId"
    from (
      select * from calls
      where account_id = ${accountId} and to_number = ${caller}
      order by created_at desc limit ${mostCalls}
    ) c
    cross join lateral (
      select max(a.dialed_at) as at from call_attempts a
      where a.call_id = c.id and (a.outcome is distinct from 'failed' or a.ringing_at is not null or a.answered_at is not null)
    ) latest
    left join agents g on g.id = c.agent_id and g.account_id = c.account_id and g.status = 'active'
    left join deployments d on d.id = g.deployment_id and d.account_id = g.account_id
    where c.type = 'outbound' and c.erased_at is null and c.purged_at is null
      and latest.at > clock_timestamp() - make_interval(days => ${days})
      and (c.batch_id is null
        or not exists (select 1 from batch_deletions x where x.batch_id = c.batch_id and x.account_id = ${accountId}))
    order by (c.from_number = ${number}) desc, latest.at desc, c.id desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** Notes at the outbound call who called back; of several the latest. */
export const noteCalledBack = (tx: Db, accountId: string, callId: string, by: string) =>
  sql`
    update calls set called_back_by = ${by}, updated_at = clock_timestamp()
    where id = ${callId} and account_id = ${accountId}`.execute(tx);
