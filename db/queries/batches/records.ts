import { sql, type RawBuilder } from 'kysely';
import { settledStatuses, type RecordStatus } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import { type Rows, shown, skippedBy } from '../rows.js';
import { likeAnywhere } from './list.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

export interface RecordRow {
  /** The bare UUID, which the record and its call share. */
  readonly id: string;
  /** In the file, from 0. */
  readonly position: number;
  /** The client's own id of the recipient. */
  readonly recipientId: string | null;
  readonly phoneNumber: string;
  readonly metadata: unknown;
  readonly status: RecordStatus;
  readonly reason: EndReason | null;
  readonly sipStatusCode: number | null;
  readonly priority: number | null;
  readonly notBefore: Date | null;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  /** The next attempt, or the one that is live, was promised to the callee. */
  readonly callback: boolean;
  readonly talkSeconds: number | null;
  readonly answeredBy: 'human' | 'machine' | 'unknown' | null;
  readonly analysis: unknown;
  readonly success: boolean | null;
  readonly analysisError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface RecordFilter {
  readonly accountId: string;
  readonly batchId: string;
  /** Empty: all. */
  readonly statuses: readonly RecordStatus[];
  /** Part of the number or of a value of the row, in any casing; empty: all. */
  readonly search: string;
}

const columns = sql`
  c.id, c.position, c.recipient_id as "recipientId", c.to_number as "phoneNumber", c.metadata, c.status, c.reason, c.sip_status_code as "sipStatusCode",
  c.attempts_made as attempts, c.next_attempt_at as "nextAttemptAt",
  not c.settled and coalesce(c.callback_attempt = c.attempts_made + 1, false) as callback, c.talk_seconds as "talkSeconds",
  c.priority, c.not_before as "notBefore", c.answered_by as "answeredBy",
  c.analysis, c.success, c.analysis_error as "analysisError", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

const isSettled = (status: RecordStatus): boolean => settledStatuses.some((settled) => settled === status);

function matching({ accountId, batchId, statuses, search }: RecordFilter): RawBuilder<unknown> {
  const conditions = [sql`c.batch_id = ${batchId}`, sql`c.account_id = ${accountId}`];
  if (statuses.length > 0) {
    conditions.push(sql`c.status = any (${[...statuses]}::text[])`);
    // If only calls that are not over are asked for, their own small index serves.
    if (!statuses.some(isSettled)) conditions.push(sql`not c.settled`);
  }
  if (search !== '') {
    const pattern = likeAnywhere(search);
    // The text of the whole row is looked at first: taking it apart is dear, and names of columns must not match.
    const asJson = likeAnywhere(JSON.stringify(search).slice(1, -1));
    conditions.push(sql`(c.to_number like ${pattern} or (c.metadata::text ilike ${asJson} and exists (
      select 1 from json_each_text(c.metadata) cell where cell.value ilike ${pattern})))`);
  }
  return sql.join(conditions, sql` and `);
}

/** One record of a batch; null if it has no such record. */
export async function findRecord(
  db: Db,
  accountId: string,
  batchId: string,
  callId: string,
): Promise<RecordRow | null> {
  const { rows } = await sql<RecordRow>`
    select ${columns} from calls c
    where c.id = ${callId} and c.batch_id = ${batchId} and c.account_id = ${accountId}`.execute(db);
  return rows[0] ?? null;
}

/** A page of a batch's records in the order of the file. */
export async function listRecords(
  db: Db,
  filter: RecordFilter,
  asked: Rows<string>,
): Promise<{ readonly rows: readonly RecordRow[]; readonly next: string | null }> {
  const following = asked.after === undefined ? sql`` : sql`and c.position > ${asked.after}::bigint`;
  const { rows } = await sql<RecordRow>`
    select ${columns} from calls c where ${matching(filter)} ${following}
    order by c.position offset ${skippedBy(asked)} limit ${asked.limit + 1}`.execute(db);
  return shown(rows, asked.limit, ({ position }) => String(position));
}

/** Counts the records that match. Reads them all: without a search, use the batch's counters. */
export async function countRecords(db: Db, filter: RecordFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from calls c where ${matching(filter)}`.execute(db);
  return rows[0]?.total ?? 0;
}
