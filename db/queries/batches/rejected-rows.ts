import type { Db } from '../../client.js';
import type { RowReason } from '../../../domain/batch/row-reasons.js';

export interface RejectedRowRow {
  readonly row: number;
  readonly value: string;
  readonly reason: RowReason;
  readonly message: string;
}

/** A page of the rows that were not taken, in the order of the file. */
export async function listRejectedRows(
  db: Db,
  accountId: string,
  batchId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly RejectedRowRow[]> {
  return db
    .selectFrom('rejected_rows')
    .select(['row', 'value', 'reason', 'message'])
    .$narrowType<{ reason: RowReason }>()
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .orderBy('row')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** How many rows of the file were not taken; null where the account has no such batch. */
export async function countRejectedRows(db: Db, accountId: string, batchId: string): Promise<number | null> {
  const batch = await db
    .selectFrom('batches')
    .select('records_rejected')
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .executeTakeFirst();
  return batch?.records_rejected ?? null;
}
