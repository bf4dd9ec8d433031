import { sql } from 'kysely';
import type { RecordStatus } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** A record with what an export says of it. */
export interface ExportedRecord {
  readonly id: string;
  /** Place in the file, from 0. */
  readonly position: number;
  readonly recipientId: string | null;
  readonly phoneNumber: string;
  readonly metadata: unknown;
  readonly status: RecordStatus;
  readonly reason: EndReason | null;
  readonly sipStatusCode: number | null;
  readonly attempts: number;
  readonly answeredBy: string | null;
  readonly talkSeconds: number | null;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly analysis: unknown;
  readonly success: boolean | null;
  readonly analysisError: string | null;
}

const recordsAtOnce = 1_000;

/**
 * The records of a batch in the order of the file, a page at a time, each as it is when its page is read. Pages go by key:
 * nothing is held open in the database while a slow client reads.
 */
export async function* recordPages(
  db: Db,
  accountId: string,
  batchId: string,
): AsyncGenerator<readonly ExportedRecord[]> {
  for (let after = -1; ;) {
    const { rows } = await sql<ExportedRecord>`
      select c.id, c.position, c.recipient_id as "recipientId", c.to_number as "phoneNumber", c.metadata, c.status, c.reason,
        c.sip_status_code as "sipStatusCode", c.attempts_made as attempts, c.answered_by as "answeredBy",
        c.talk_seconds as "talkSeconds", a.dialed_at as "lastAttemptAt", c.next_attempt_at as "nextAttemptAt",
        c.analysis, c.success, c.analysis_error as "analysisError"
      from calls c
      left join lateral (
        select a.dialed_at from call_attempts a
        where a.call_id = c.id and a.dialed_at is not null order by a.number desc limit 1
      ) a on true
      where c.batch_id = ${batchId} and c.account_id = ${accountId} and c.position > ${after}
      order by c.position limit ${recordsAtOnce}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < recordsAtOnce) return;
    after = last.position;
  }
}

export interface ExportedBatch {
  readonly name: string;
  /** Of the file, in its order, phone_number included. */
  readonly columns: readonly string[];
  /** Whether recipients have ids of the client's own. */
  readonly hasIds: boolean;
  /** What its calls were analyzed for. */
  readonly analysisFields: readonly string[];
}

export async function findBatchColumns(db: Db, accountId: string, batchId: string): Promise<ExportedBatch | null> {
  const { rows } = await sql<ExportedBatch>`
    select name, columns, analysis_fields as "analysisFields", exists (
      select 1 from calls c where c.batch_id = b.id and c.recipient_id is not null) as "hasIds"
    from batches b where account_id = ${accountId} and id = ${batchId}`.execute(db);
  return rows[0] ?? null;
}
