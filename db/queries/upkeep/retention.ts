import { sql } from 'kysely';
import type { Db } from '../../client.js';

/*
 * What is deleted when its time is over: files, what rows and callees said (metadata, transcripts, summaries, analyses), and what was
 * told to webhooks. That a call was made, when, to which number and how it ended stays. Over all accounts, in pieces.
 */

const callsAtOnce = 1_000;
const smallRowsAtOnce = 1_000;

/** The columns of calls that retention clears. */
const emptied = sql`
  metadata = '{}', participant = null, options = null, recipient_id = null, pre_dial_reason = null, transcript = null, summary = null, summary_error = null,
  analysis = null, analysis_error = null, success = null,
  purged_at = clock_timestamp()`;

export interface ExpiredBatch {
  readonly accountId: string;
  readonly batchId: string;
}

/**
 * Takes the oldest batch that ended before this instant and still has its data: from then on it cannot be repeated. One that
 * a retry is being copied from is left for later.
 *
 * @param failed batches that are not taken, because emptying them has failed
 */
export async function takeExpiredBatch(db: Db, before: Date, failed: readonly string[]): Promise<ExpiredBatch | null> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ExpiredBatch>`
      select b.account_id as "accountId", b.id as "batchId" from batches b
      where b.completed_at < ${before} and b.emptied_at is null and not b.id = any (${failed}) and ${notBeingCopied}
      order by b.completed_at limit 1
      for update of b`.execute(tx);
    const [batch] = rows;
    if (batch === undefined) return null;
    // A separate statement: a retry that was committed while the lock was awaited is seen by it.
    const { numAffectedRows } = await sql`
      update batches b set purged_at = coalesce(b.purged_at, clock_timestamp())
      where b.id = ${batch.batchId} and ${notBeingCopied}`.execute(tx);
    return numAffectedRows === 0n ? null : batch;
  });
}

const notBeingCopied = sql`not exists (
  select 1 from batches r where r.retried_from = b.id and r.account_id = b.account_id and r.status = 'parsing')`;

/**
 * Empties a piece of a batch's calls: those after this position. What is empty already is not read again.
 *
 * @returns the last position of the piece, null if no more is left
 */
export async function emptyCallsOfBatch(
  db: Db,
  { accountId, batchId }: ExpiredBatch,
  after: number,
): Promise<number | null> {
  const { rows } = await sql<{ position: number }>`
    update calls c set ${emptied}
    from (
      select id, position from calls
      where batch_id = ${batchId} and account_id = ${accountId} and position > ${after} and purged_at is null
      order by position limit ${callsAtOnce} for no key update
    ) old
    where c.id = old.id
    returning old.position`.execute(db);
  return rows.length < callsAtOnce ? null : Math.max(...rows.map(({ position }) => position));
}

/** Empties a piece of a batch's rejected rows: that they were rejected, and why, stays. @returns as above */
export async function emptyRejectedRows(db: Db, { accountId, batchId }: ExpiredBatch): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update rejected_rows set value = '', message = reason, recipient_id = null
    where batch_id = ${batchId} and row in (
      select row from rejected_rows
      where batch_id = ${batchId} and account_id = ${accountId} and message <> reason
      order by row limit ${smallRowsAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0n) === smallRowsAtOnce;
}

/** Empties a piece of a batch's corrected rows. @returns as above */
export async function emptyCorrectedRows(db: Db, { accountId, batchId }: ExpiredBatch): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update corrected_rows set value = '', phone_number = ''
    where batch_id = ${batchId} and row in (
      select row from corrected_rows
      where batch_id = ${batchId} and account_id = ${accountId} and phone_number <> ''
      order by row limit ${smallRowsAtOnce})`.execute(db);
  return Number(numAffectedRows ?? 0n) === smallRowsAtOnce;
}

/** Ends the work on a batch whose rows are emptied: its file goes, of which only the name stays. */
export async function endEmptying(db: Db, { accountId, batchId }: ExpiredBatch): Promise<void> {
  await sql`
    with gone as (
      delete from batch_files where batch_id = ${batchId} and account_id = ${accountId}
      returning filename, extension, key
    )
    update batches b set emptied_at = clock_timestamp(),
      filename = coalesce((select filename from gone), b.filename),
      extension = coalesce((select extension from gone), b.extension),
      file_key = coalesce((select key from gone), b.file_key)
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(db);
}

/** Empties single calls that ended before this instant. @returns whether more may be left */
export async function emptySingleCalls(db: Db, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update calls c set ${emptied}
    from (
      select id from calls
      where batch_id is null and settled and purged_at is null and created_at < ${before} and updated_at < ${before}
      order by created_at limit ${callsAtOnce} for no key update skip locked
    ) old
    where c.id = old.id`.execute(db);
  return Number(numAffectedRows ?? 0n) === callsAtOnce;
}

/** Deletes webhook deliveries that were over before this instant. @returns whether more may be left */
export async function deleteOldDeliveries(db: Db, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where status <> 'pending' and created_at < ${before} and (asked_at is null or asked_at < ${before})
      order by created_at limit ${smallRowsAtOnce} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n) === smallRowsAtOnce;
}

/** Deletes stored answers to Idempotency-Keys that have outlived their time. @returns whether more may be left */
export async function deleteOldAnswers(db: Db, before: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (key_id, idempotency_key) in (
      select key_id, idempotency_key from idempotency_keys
      where created_at < ${before} limit ${smallRowsAtOnce} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n) === smallRowsAtOnce;
}
