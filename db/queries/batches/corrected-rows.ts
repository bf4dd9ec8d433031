import type { Db } from '../../client.js';

export interface CorrectedRowRow {
  readonly row: number;
  readonly value: string;
  readonly phoneNumber: string;
}

/** A page of the rows whose number is dialed otherwise than it was written, in the order of the file. */
export async function listCorrectedRows(
  db: Db,
  accountId: string,
  batchId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly CorrectedRowRow[]> {
  return db
    .selectFrom('corrected_rows')
    .select(['row', 'value', 'phone_number as phoneNumber'])
    .where('account_id', '=', accountId)
    .where('batch_id', '=', batchId)
    .orderBy('row')
    .offset(offset)
    .limit(limit)
    .execute();
}

/**
 * How many of them are listed; null if the account has no such batch. Batches that were read before corrected rows were kept
 * have none, whatever `records_corrected` counts.
 */
export async function countCorrectedRows(db: Db, accountId: string, batchId: string): Promise<number | null> {
  const batch = await db
    .selectFrom('batches as b')
    .select((row) =>
      row
        .selectFrom('corrected_rows as r')
        .whereRef('r.batch_id', '=', 'b.id')
        .select(row.fn.countAll<string>().as('total'))
        .as('total'),
    )
    .where('b.account_id', '=', accountId)
    .where('b.id', '=', batchId)
    .executeTakeFirst();
  return batch === undefined ? null : Number(batch.total);
}
