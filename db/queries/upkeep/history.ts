import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { deleteBatch } from '../batches/delete.js';
import { instantOf, microsecondsOf } from '../rows.js';

/*
 * Deletion of whole batches and calls after OUTDIAL_HISTORY_DAYS, so that a database does not grow for ever. The audit log says
 * what a batch came to; usage by day and forgotten attempts stay as they are.
 */

const singleCallsAtOnce = 1_000;

export interface OldBatch {
  readonly accountId: string;
  readonly batchId: string;
  /** Microseconds since 1970: by whole milliseconds a batch would come after itself, and be found for ever. */
  readonly completedAt: string;
}

/** The first batch after this one that ended before this instant, the oldest first. */
export async function nextOldBatch(db: Db, before: Date, after: OldBatch | null): Promise<OldBatch | null> {
  const { rows } = await sql<OldBatch>`
    select account_id as "accountId", id as "batchId", ${microsecondsOf(sql`completed_at`)} as "completedAt" from batches
    where completed_at < ${before}
      ${after === null ? sql`` : sql`and (completed_at, id) > (${instantOf(after.completedAt)}, ${after.batchId})`}
    order by completed_at, id limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Deletes a batch as a client's DELETE does: its calls are removed in pieces by a workflow. The audit log keeps its counts.
 *
 * @returns whether it was deleted; not while a retry takes its numbers from it
 */
export async function deleteOldBatch(db: Db, { accountId, batchId }: OldBatch): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const deleted = await deleteBatch(tx, accountId, batchId);
    if (typeof deleted === 'string') return false;
    await tx
      .insertInto('audit_log')
      .values({
        account_id: accountId,
        action: 'batch-call.delete',
        target: batchId,
        details: JSON.stringify({ ...deleted, because: 'OUTDIAL_HISTORY_DAYS' }),
      })
      .execute();
    return true;
  });
}

/** Accounts whose single calls are to be looked at. */
export async function accountsWithHistory(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('accounts').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Deletes single calls of an account that ended before this instant, with their attempts. @returns whether more may be left */
export async function deleteOldSingleCalls(db: Db, accountId: string, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from calls where id in (
      select id from calls
      where account_id = ${accountId} and batch_id is null and settled and created_at < ${before} and updated_at < ${before}
      order by created_at, id limit ${singleCallsAtOnce} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n) === singleCallsAtOnce;
}
