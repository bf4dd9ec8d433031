import { sql } from 'kysely';
import { digitsOfCells } from '../../../domain/phone/cells-of-number.js';
import type { Db } from '../../client.js';
import { callsOfNumber } from './contacts.js';
import { eraseWaiting, lockCampaignsOfPerson } from '../campaigns/recipients.js';
import { findDoNotCall } from './do-not-call.js';
import { lockPerson } from '../calls/recently-called.js';
import { reloadWorkflowsOf, type SettledBeside } from '../calls/stop-waiting.js';

/** The result of an erasure; `reading`: nothing was erased, because a file is being read that may contain the person. */
export type Erasure =
  | { readonly outcome: 'erased'; readonly calls: number; readonly rejectedRows: number; readonly files: number }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'reading'; readonly batchId: string };

/**
 * Erases a person: whatever says who was called, and what was said. The rows of the calls stay, with their status, times
 * and place in the counters; triggers keep them empty whatever is written to them later (db/migrations/0007), such as the
 * end of a leg that is hung up here. Locks as everywhere: campaigns, calls by id, attempts, counters (by the trigger).
 */
export async function eraseContact(tx: Db, accountId: string, e164: string): Promise<Erasure> {
  await lockPerson(tx, accountId, e164);
  // Before it is asked what is being read: a run that moves the person into a batch call meanwhile is waited for, and its file is seen.
  await lockCampaignsOfPerson(tx, accountId, e164);
  const { rows: reading } = await sql<{ id: string }>`
    select id from batches where account_id = ${accountId} and status = 'parsing' limit 1`.execute(tx);
  if (reading[0] !== undefined) return { outcome: 'reading', batchId: reading[0].id };

  // From here on each statement sees what was committed before it: a file that has been read meanwhile has its calls here.
  const { rows: calls } = await sql<SettledBeside & { settled: boolean }>`
    select c.id, c.settled, c.batch_id as "batchId", coalesce(c.position, 0) as position,
      (select b.calls_per_workflow from batches b where b.id = c.batch_id) as "callsPerWorkflow"
    from calls c where ${callsOfNumber(accountId, e164)} order by c.id for update of c`.execute(tx);
  const digits = digitsOfCells(e164);
  const files = await emptyFiles(tx, accountId, [...new Set(calls.flatMap(({ batchId }) => batchId ?? []))], digits);
  const { numAffectedRows: rejectedRows = 0n } = await sql`
    update rejected_rows set value = '', recipient_id = null, message = 'The person has been erased.'
    where account_id = ${accountId} and digits = any (${digits}::text[])`.execute(tx);
  await sql`
    update corrected_rows set value = '', phone_number = ''
    where account_id = ${accountId} and phone_number = ${e164}`.execute(tx);
  const waiting = await eraseWaiting(tx, accountId, e164);
  if (calls.length + waiting === 0 && rejectedRows === 0n && (await findDoNotCall(tx, accountId, e164)) === null) {
    return { outcome: 'unknown' };
  }
  await eraseCalls(
    tx,
    accountId,
    calls.map(({ id }) => id),
  );
  await reloadWorkflowsOf(
    tx,
    calls.filter(({ settled }) => !settled),
  );
  return { outcome: 'erased', calls: calls.length, rejectedRows: Number(rejectedRows), files };
}

async function eraseCalls(tx: Db, accountId: string, callIds: readonly string[]): Promise<void> {
  const own = sql`account_id = ${accountId} and call_id = any (${callIds}::uuid[])`;
  await sql`delete from call_attempts where ${own} and phase in ('queued', 'claimed')`.execute(tx);
  await sql`
    update call_attempts
    set erased = true,
      hang_up_at = case when phase = 'ended' then hang_up_at else coalesce(hang_up_at, clock_timestamp()) end,
      hang_up_reason = case when phase = 'ended' then hang_up_reason else coalesce(hang_up_reason, 'ended_by_api') end
    where ${own}`.execute(tx);
  await sql`
    update calls set erased_at = coalesce(erased_at, clock_timestamp()), updated_at = clock_timestamp()
    where account_id = ${accountId} and id = any (${callIds}::uuid[])`.execute(tx);
  await sql`
    update call_transfers set transfer_to = 'erased'
    where call_id = any (${callIds}::uuid[]) and ended_at is not null`.execute(tx);
  // The rows stay, so that no event is sent twice.
  await sql`
    update webhook_deliveries
    set payload = '{"erased":true}', status = case when status = 'pending' then 'failed' else status end
    where account_id = ${accountId} and call_id = any (${callIds}::uuid[])`.execute(tx);
}

/**
 * Empties the uploads that hold the person: those of the batches that have a call or a rejected row of the number, and
 * those that were never read to their end, whose content is unknown. What was read is kept in the records.
 */
async function emptyFiles(
  tx: Db,
  accountId: string,
  batchIds: readonly string[],
  digits: readonly string[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update batch_files f set bytes = '', byte_size = 0, sha256 = ''
    where f.account_id = ${accountId} and f.byte_size > 0 and (
      f.batch_id = any (${batchIds}::text[])
      or f.batch_id in (select r.batch_id from rejected_rows r
        where r.account_id = ${accountId} and r.digits = any (${digits}::text[]))
      or f.batch_id in (select b.id from batches b
        where b.account_id = ${accountId} and b.calls_per_workflow is null and b.status <> 'parsing'))`.execute(tx);
  return Number(numAffectedRows);
}
