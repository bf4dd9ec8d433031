import { sql } from 'kysely';
import { digitsOfCells } from '../../../domain/phone/cells-of-number.js';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import type { CallRow, CallWithAttempts } from '../calls/calls.js';
import { withAttempts } from '../calls/list.js';
import { findDoNotCall, type DoNotCallRow } from './do-not-call.js';
import type { RowReason } from '../../../domain/batch/row-reasons.js';

/** Calls of an account to a number, or from it, for the call aliased `c`. */
export const callsOfNumber = (accountId: string, e164: string) => sql`
  (c.account_id = ${accountId} and c.to_number = ${e164} and c.type = 'outbound'
    or c.account_id = ${accountId} and c.from_number = ${e164} and c.type = 'inbound')`;

export interface ContactBatch {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly calls: number;
}

export interface ContactRejectedRow {
  readonly batchId: string;
  readonly row: number;
  readonly value: string;
  readonly reason: RowReason;
  readonly message: string;
}

/** What is known of a number besides its calls. */
export interface ContactFacts {
  readonly doNotCall: DoNotCallRow | null;
  readonly calls: number;
  /** The latest of them. */
  readonly batches: readonly ContactBatch[];
  readonly rejectedRows: readonly ContactRejectedRow[];
}

const mostListed = 100;

export async function findContactFacts(db: Db, accountId: string, e164: string): Promise<ContactFacts> {
  const [doNotCall, calls, batches, rejectedRows] = await Promise.all([
    findDoNotCall(db, accountId, e164),
    sql<{ calls: number }>`
      select count(*)::integer as calls from calls c where ${callsOfNumber(accountId, e164)}`.execute(db),
    sql<ContactBatch>`
      select b.id, b.name, b.status, count(*)::integer as calls
      from calls c join batches b on b.id = c.batch_id and b.account_id = ${accountId}
      where ${callsOfNumber(accountId, e164)}
      group by b.id order by b.created_at desc, b.id desc limit ${mostListed}`.execute(db),
    sql<ContactRejectedRow>`
      select r.batch_id as "batchId", r.row, r.value, r.reason, r.message
      from rejected_rows r
      where r.account_id = ${accountId} and r.digits = any (${digitsOfCells(e164)}::text[])
      order by r.batch_id desc, r.row limit ${mostListed}`.execute(db),
  ]);
  return { doNotCall, calls: calls.rows[0]?.calls ?? 0, batches: batches.rows, rejectedRows: rejectedRows.rows };
}

/** A page of a number's calls, newest first, as they were at one moment. */
export async function listCallsOfContact(
  db: Db,
  accountId: string,
  e164: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CallWithAttempts[]> {
  return ofOneInstant(db, async (tx) => {
    const { rows } = await sql<CallRow>`
      select c.* from calls c where ${callsOfNumber(accountId, e164)}
      order by c.created_at desc, c.id desc offset ${offset} limit ${limit}`.execute(tx);
    return withAttempts(tx, accountId, rows);
  });
}
