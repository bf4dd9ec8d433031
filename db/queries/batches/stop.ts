import { sql } from 'kysely';
import { asStoppedBy, type StoppedBy } from '../../../domain/batch/stops.js';
import type { Db } from '../../client.js';
import { addToOutbox } from '../outbox.js';

/**
 * Stops a batch whose row is locked, in the caller's transaction: from its commit on nothing of the batch is claimed or passes
 * the gate, live calls go on to their end, and the workflow, which is told through the outbox, settles those who wait. It is
 * then `completed`. Does nothing if the batch does not run, because it is over or being cancelled or stopped.
 */
export async function stopBatch(tx: Db, batchId: string, by: StoppedBy): Promise<void> {
  const { numAffectedRows } = await sql`
    update batches set status = 'cancelling', cancel_mode = 'graceful', stopped_by = ${by}, stopped_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where id = ${batchId} and status in ('running', 'scheduled')`.execute(tx);
  if (numAffectedRows === 0n) return;
  await addToOutbox(tx, { kind: 'signal', name: 'cancel', workflowId: batchId, input: {} });
}

/** Stops those of these batches, whose rows are locked, that have come to one of their stop conditions. */
export async function stopReached(tx: Db, batchIds: readonly string[]): Promise<void> {
  if (batchIds.length === 0) return;
  const { rows } = await sql<{ id: string; by: string | null }>`
    select b.id, reached_stop(b, clock_timestamp()) as by from batches b
    where b.id = any (${[...batchIds]}::text[]) order by b.id`.execute(tx);
  for (const { id, by } of rows) {
    const stop = asStoppedBy(by);
    if (stop !== null) await stopBatch(tx, id, stop);
  }
}

/** Locks a batch and stops it if it has come to one of its stop conditions. */
export async function stopIfReached(db: Db, accountId: string, batchId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      select 1 from batches where id = ${batchId} and account_id = ${accountId} for no key update`.execute(tx);
    // A statement of its own: it sees what was committed until the batch was locked.
    await stopReached(tx, [batchId]);
  });
}

/** Locks the batch of a call if it stops after so many successes, before the call is locked. @returns its id; null: it does not */
export async function lockBatchThatStops(tx: Db, accountId: string, callId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select b.id from calls c join batches b on b.id = c.batch_id and b.account_id = c.account_id
    where c.id = ${callId} and c.account_id = ${accountId} and b.stop_after_success is not null
    for no key update of b`.execute(tx);
  return rows[0]?.id ?? null;
}
