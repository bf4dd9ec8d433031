import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { takeDialingLock } from './dialing-lock.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/**
 * Stops all dialing of an account. After the commit no gate lets a call of it through. Gates before it have been waited for, so
 * `hangUp` ends all calls that are live.
 *
 * @returns false if dialing was stopped already
 */
export async function stopDialing(tx: Db, accountId: string, hangUp: boolean): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set dialing_stopped_at = clock_timestamp()
    where id = ${accountId} and dialing_stopped_at is null`.execute(tx);
  await takeDialingLock(tx, accountId);
  if (hangUp) await hangUpAllOf(tx, accountId, 'ended_by_api');
  return (numAffectedRows ?? 0n) > 0n;
}

/** Requests that all live calls of an account are hung up. Locks calls by id, then attempts. */
export async function hangUpAllOf(tx: Db, accountId: string, reason: EndReason): Promise<void> {
  await sql`
    select 1 from calls where id in (
      select call_id from call_attempts where account_id = ${accountId} and phase in ('dialing', 'ringing', 'answered'))
    order by id for no key update`.execute(tx);
  await sql`
    update call_attempts set hang_up_at = clock_timestamp(), hang_up_reason = ${reason}
    where account_id = ${accountId} and phase in ('dialing', 'ringing', 'answered') and hang_up_at is null`.execute(tx);
}

/** Lets an account dial again. @returns whether it was stopped */
export async function resumeDialing(tx: Db, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set dialing_stopped_at = null
    where id = ${accountId} and dialing_stopped_at is not null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** The account's outbound gateways, to be woken when dialing goes on. */
export async function dialingGateways(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('gateways')
    .select('id')
    .where('account_id', '=', accountId)
    .where('direction', '=', 'outbound')
    .execute();
  return rows.map((row) => row.id);
}
