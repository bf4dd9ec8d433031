import { sql } from 'kysely';
import type { AuditedAction } from '../../../domain/account/audited-resources.js';
import { dialingHold, type DialingState } from '../../../domain/account/dialing-hold.js';
import type { DialingHold } from '../../../domain/batch/pause-reasons.js';
import type { Db } from '../../client.js';
import { insertAuditEntry } from './audit-log.js';
import { takeDialingLock } from '../dialer/dialing-lock.js';
import { hangUpAllOf } from '../dialer/stop-dialing.js';

/** Why nothing of an account is dialed at all, or null. */
export async function dialingHoldOf(db: Db, accountId: string): Promise<DialingHold | null> {
  const { rows } = await sql<DialingState>`
    select c.suspended_at as "suspendedAt", c.dialing_stopped_at as "dialingStoppedAt",
      (select s.dialing_stopped_at from service_state s) as "serviceStoppedAt"
    from accounts c where c.id = ${accountId}`.execute(db);
  return rows[0] === undefined ? null : dialingHold(rows[0]);
}

/** Whether the operator has suspended the account. */
export async function isAccountSuspended(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${accountId} and suspended_at is not null`.execute(db);
  return rows.length > 0;
}

/**
 * Suspends an account: from the commit on its tokens are refused and no gate lets anything of it through; every gate before
 * it has been waited for.
 *
 * @param hangUp whether its live calls are hung up, those that came in among them
 * @returns whether it was not suspended already
 */
export async function suspendAccount(
  tx: Db,
  accountId: string,
  { reason, hangUp }: { readonly reason: string | null; readonly hangUp: boolean },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set suspended_at = clock_timestamp(), suspended_reason = ${reason}
    where id = ${accountId} and suspended_at is null`.execute(tx);
  await recordByOperator(tx, accountId, 'account.suspend', { reason, hangUp });
  await takeDialingLock(tx, accountId);
  if (hangUp) await hangUpAllOf(tx, accountId, 'account_suspended');
  return (numAffectedRows ?? 0n) > 0n;
}

/** Ends a suspension. What the account had stopped itself stays stopped. @returns whether it was suspended */
export async function resumeAccount(tx: Db, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update accounts set suspended_at = null, suspended_reason = null
    where id = ${accountId} and suspended_at is not null`.execute(tx);
  await recordByOperator(tx, accountId, 'account.resume');
  return (numAffectedRows ?? 0n) > 0n;
}

/** Writes an act of the operator to the account's audit log, without a key. */
export async function recordByOperator(
  tx: Db,
  accountId: string,
  action: AuditedAction,
  details: object = {},
): Promise<void> {
  const by = { keyId: null, address: null };
  await insertAuditEntry(tx, { accountId, ...by, action, target: accountId, details: { by: 'operator', ...details } });
}

/** Stops the dialing of all accounts: no gate lets anything through after the commit. @returns whether it was not stopped */
export async function stopServiceDialing(tx: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update service_state set dialing_stopped_at = clock_timestamp() where dialing_stopped_at is null`.execute(tx);
  await sql`select take_service_dialing_lock()`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Lets all accounts dial again but those that are suspended or have stopped themselves. @returns whether it was stopped */
export async function resumeServiceDialing(tx: Db): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update service_state set dialing_stopped_at = null where dialing_stopped_at is not null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Every outbound gateway of the service, to be woken when all dialing goes on. */
export async function allDialingGateways(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('gateways').select('id').where('direction', '=', 'outbound').execute();
  return rows.map((row) => row.id);
}
