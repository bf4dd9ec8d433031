import { sql } from 'kysely';
import { type BatchCounts, isFinished } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { counterColumns, type CounterRow, countsOf } from './batches.js';
import { lockBatchToDelete } from './control.js';
import { addToOutbox } from '../outbox.js';

/** The counts of a batch: all that is left of it, in the audit log. */
export interface DeletedCounts {
  readonly status: string;
  readonly records: number;
  readonly rejected: number;
  readonly counts: BatchCounts;
}

/** `unfinished`: something may still happen to it. `being_copied`: a retry of it has not taken its recipients yet. */
export type DeleteResult = DeletedCounts | 'unfinished' | 'being_copied' | 'unknown';

/**
 * Deletes a finished batch: it is gone with this transaction, with its file and webhook deliveries. Its calls and rejected
 * rows may be hundreds of thousands and are removed by a workflow in pieces; `batch_deletions` says that they must be.
 */
export async function deleteBatch(tx: Db, accountId: string, batchId: string): Promise<DeleteResult> {
  const status = await lockBatchToDelete(tx, accountId, batchId);
  if (status === null) return 'unknown';
  if (!isFinished(status)) return 'unfinished';
  // A retry share-locks the batch that it repeats: it was committed before, and is seen here.
  const { rows: copying } = await sql`
    select 1 from batches where retried_from = ${batchId} and account_id = ${accountId} and status = 'parsing' limit 1`.execute(
    tx,
  );
  if (copying.length > 0) return 'being_copied';
  const { rows } = await sql<{ records: number; rejectedRows: number } & CounterRow>`
    select b.records_uploaded as records, b.records_rejected as "rejectedRows", ${counterColumns}
    from batches b left join batch_counters k on k.batch_id = b.id where b.id = ${batchId}`.execute(tx);
  await sql`insert into batch_deletions (batch_id, account_id) values (${batchId}, ${accountId})`.execute(tx);
  await sql`delete from batches where id = ${batchId} and account_id = ${accountId}`.execute(tx);
  await addToOutbox(tx, { kind: 'start', name: 'removeBatch', input: { accountId, batchId } });
  const [row] = rows;
  if (row === undefined) throw new Error(`${batchId} is locked, and not there.`);
  return { status, records: row.records, rejected: row.rejectedRows, counts: countsOf(row) };
}

/** Calls, with their attempts, removed by one transaction. */
const callsAtOnce = 1_000;
const rowsAtOnce = 5_000;

/**
 * Removes a piece of what a deleted batch has left.
 *
 * @returns whether another piece is left
 */
export async function removePiece(db: Db, accountId: string, batchId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numAffectedRows: calls } = await sql`
      delete from calls where id in (
        select c.id from calls c
        where c.batch_id = ${batchId} and c.account_id = ${accountId}
          and not exists (select 1 from batches b where b.id = c.batch_id)
        order by c.position limit ${callsAtOnce} for update of c)`.execute(tx);
    const { numAffectedRows: rows } = await sql`
      delete from rejected_rows where batch_id = ${batchId} and account_id = ${accountId} and row in (
        select row from rejected_rows r where r.batch_id = ${batchId}
          and not exists (select 1 from batches b where b.id = r.batch_id)
        order by row limit ${rowsAtOnce})`.execute(tx);
    const { numAffectedRows: corrected } = await sql`
      delete from corrected_rows where batch_id = ${batchId} and account_id = ${accountId} and row in (
        select row from corrected_rows r where r.batch_id = ${batchId}
          and not exists (select 1 from batches b where b.id = r.batch_id)
        order by row limit ${rowsAtOnce})`.execute(tx);
    if ([calls, rows, corrected].some((removed) => (removed ?? 0n) > 0n)) return true;
    await sql`delete from batch_deletions where batch_id = ${batchId} and account_id = ${accountId}`.execute(tx);
    return false;
  });
}
