import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { announceBatch } from './events.js';

/**
 * Ends a batch, if Postgres shows no call unsettled: `completed`, or `cancelled` if a cancel dropped a call that was
 * still to be called. Status, time and webhook are committed together.
 *
 * @returns the status that the batch has now; one that is not final if calls are open
 */
export async function finishBatch(db: Db, accountId: string, batchId: string): Promise<BatchStatus | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ status: BatchStatus; unsettled: boolean; dropped: boolean }>`
      select b.status, exists (select 1 from calls c where c.batch_id = b.id and not c.settled) as unsettled,
        b.cancel_dropped or b.calls_per_workflow is null as dropped
      from batches b where b.id = ${batchId} and b.account_id = ${accountId}
      for no key update of b`.execute(tx);
    const [batch] = rows;
    if (batch === undefined) return null;
    if (batch.unsettled || !['running', 'cancelling'].includes(batch.status)) return batch.status;
    // A batch that was cancelled before its file was read has dropped all its recipients.
    const status = batch.status === 'cancelling' && batch.dropped ? 'cancelled' : 'completed';
    await sql`
      update batches set status = ${status}, completed_at = clock_timestamp(), updated_at = clock_timestamp(),
        paused = false, paused_reason = null, paused_details = null
      where id = ${batchId}`.execute(tx);
    await announceBatch(tx, batchId, 'batchcall-completed');
    return status;
  });
}
