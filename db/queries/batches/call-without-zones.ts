import { sql } from 'kysely';
import { recipientZone } from '../../../domain/call/calling-window.js';
import type { Db } from '../../client.js';
import type { CallWithoutZones } from './window.js';

/**
 * The call, if its batch goes by the clocks of callees and its time zones were never looked up: the batch got that window when the
 * call was over already. Locks the batch against a change of its window, as whoever opens the call again does first.
 *
 * @param callId the bare UUID
 */
export async function callWithoutZones(
  tx: Db,
  { accountId, batchId, callId }: { readonly accountId: string; readonly batchId: string; readonly callId: string },
): Promise<CallWithoutZones | null> {
  const { rows: batches } = await sql<{ timezone: string | null }>`
    select calling_window ->> 'timezone' as timezone from batches
    where id = ${batchId} and account_id = ${accountId} for share`.execute(tx);
  if (batches[0]?.timezone !== recipientZone) return null;
  const { rows } = await sql<CallWithoutZones>`
    select id as "callId", position, to_number as "phoneNumber", metadata ->> 'timezone' as named from calls
    where id = ${callId} and batch_id = ${batchId} and account_id = ${accountId} and time_zones is null`.execute(tx);
  return rows[0] ?? null;
}
