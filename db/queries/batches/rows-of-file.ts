import { type RawBuilder, sql } from 'kysely';
import type { RowReason } from '../../../domain/batch/row-reasons.js';
import type { Db } from '../../client.js';
import { type Rows, shown, skippedBy } from '../rows.js';

/** A part of a list, and the row of the file that it ends with; null if it is the last. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

interface BatchKey {
  readonly accountId: string;
  readonly batchId: string;
}

export interface RejectedRowRow {
  readonly row: number;
  /** Place among recipients that came as JSON, from 0; null: it is a row of a file. */
  readonly index: number | null;
  /** The client's own id. */
  readonly id: string | null;
  readonly value: string;
  readonly reason: RowReason;
  readonly message: string;
}

export interface CorrectedRowRow {
  readonly row: number;
  readonly value: string;
  readonly phoneNumber: string;
}

/** A page of rows in the order of the file. */
async function listRows<Row extends { readonly row: number }>(
  db: Db,
  from: RawBuilder<unknown>,
  { accountId, batchId }: BatchKey,
  asked: Rows<string>,
): Promise<Page<Row>> {
  const following = asked.after === undefined ? sql`` : sql`and row > ${asked.after}::bigint`;
  const { rows } = await sql<Row>`
    select ${from} where account_id = ${accountId} and batch_id = ${batchId} ${following}
    order by row offset ${skippedBy(asked)} limit ${asked.limit + 1}`.execute(db);
  return shown(rows, asked.limit, ({ row }) => String(row));
}

/** A number of the batch; null if the account has no such batch. */
async function countRows(db: Db, total: RawBuilder<unknown>, { accountId, batchId }: BatchKey): Promise<number | null> {
  const { rows } = await sql<{ total: number }>`
    select ${total} as total from batches b where b.account_id = ${accountId} and b.id = ${batchId}`.execute(db);
  return rows[0]?.total ?? null;
}

/** A page of the rows that were not taken. */
export const listRejectedRows = (db: Db, batch: BatchKey, asked: Rows<string>): Promise<Page<RejectedRowRow>> =>
  listRows(
    db,
    sql`row, value, reason, message, recipient_id as id, (
        select row - 1 from batches b left join batch_files f on f.batch_id = b.id
        where b.id = r.batch_id and coalesce(f.extension, b.extension) = 'json' and b.retried_from is null) as index
      from rejected_rows r`,
    batch,
    asked,
  );

/** How many rows of the file were not taken; null if the account has no such batch. */
export const countRejectedRows = (db: Db, batch: BatchKey): Promise<number | null> =>
  countRows(db, sql`b.records_rejected`, batch);

/** A page of the rows whose number is dialed otherwise than it was written. */
export const listCorrectedRows = (db: Db, batch: BatchKey, asked: Rows<string>): Promise<Page<CorrectedRowRow>> =>
  listRows(db, sql`row, value, phone_number as "phoneNumber" from corrected_rows`, batch, asked);

/**
 * How many of them are listed; null if the account has no such batch. Batches that were read before corrected rows were kept
 * have none, whatever `records_corrected` counts.
 */
export const countCorrectedRows = (db: Db, batch: BatchKey): Promise<number | null> =>
  countRows(db, sql`(select count(*)::integer from corrected_rows r where r.batch_id = b.id)`, batch);
