import { sql } from 'kysely';
import { fileOrder, type RecordOrder } from '../../../domain/batch/record-order.js';
import type { RecordStatus } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import { exactly, mostCounted, totalBeside, type Total, upTo } from '../counted.js';
import { type Rows, shown } from '../rows.js';
import { matchingRecords, ofBatch, type MatchingRecords, type RecordFilter } from './record-filter.js';
import { type PricedRecord, pricedRecordColumns } from './priced-record.js';
import type { RecordPlace } from './record-order.js';
import { searchAll, searchOn } from './record-search.js';
import { countMatching, sortedPlaces, walkedPlaces } from './record-pages.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

export interface RecordRow extends PricedRecord {
  /** The bare UUID, which the record and its call share. */
  readonly id: string;
  /** In the file, from 0. */
  readonly position: number;
  /** The client's own id of the recipient. */
  readonly recipientId: string | null;
  readonly variant: string | null;
  readonly phoneNumber: string;
  readonly metadata: unknown;
  readonly status: RecordStatus;
  readonly reason: EndReason | null;
  /** What the client's endpoint said of one that it refused. */
  readonly preDialReason: string | null;
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
  /** The inbound call by which the recipient called back, the bare UUID. */
  readonly calledBackBy: string | null;
  /** When it was over. */
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = sql`
  c.id, c.position, c.recipient_id as "recipientId", c.variant, c.to_number as "phoneNumber", c.metadata, c.status, c.reason, c.pre_dial_reason as "preDialReason", c.sip_status_code as "sipStatusCode",
  c.attempts_made as attempts, c.next_attempt_at as "nextAttemptAt",
  not c.settled and coalesce(c.callback_attempt = c.attempts_made + 1, false) as callback, c.talk_seconds as "talkSeconds",
  c.priority, c.not_before as "notBefore", c.answered_by as "answeredBy",
  c.analysis, c.success, c.analysis_error as "analysisError", c.called_back_by as "calledBackBy", ${pricedRecordColumns}, c.ended_time as "endedAt", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

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

export interface RecordPage {
  readonly total: Total;
  readonly rows: readonly RecordRow[];
  readonly next: RecordPlace | null;
  /** How many records a search has looked at for this page, if it has not looked at all; else null. */
  readonly searched: number | null;
}

/**
 * A page of a batch's records and how many match, both of one instant. A search by a cursor looks at a bounded number of records for
 * each page.
 *
 * @param known how many match, if counters say so
 */
export async function listRecords(
  db: Db,
  filter: RecordFilter,
  order: RecordOrder,
  asked: Rows<RecordPlace>,
  known: number | null = null,
): Promise<RecordPage> {
  return ofOneInstant(db, async (tx) => {
    if (filter.search !== '') {
      const { places: found, ...page } = await (asked.byCursor === true ? searchOn : searchAll)(
        tx,
        filter,
        order,
        asked,
      );
      return { ...page, rows: await recordsAt(tx, filter, found) };
    }
    const matching = await matchingRecords(tx, filter);
    const counted =
      asked.counted ?? (known === null ? upTo(await countMatching(tx, matching, mostCounted + 1)) : exactly(known));
    if (asked.after === undefined && !counted.isEstimate && asked.offset >= counted.rows) {
      return { total: counted, rows: [], next: null, searched: null };
    }
    const places = await placesOf(tx, matching, counted, order, { ...asked, limit: asked.limit + 1 });
    const page = shown(places, asked.limit, (place) => place);
    const rows = await recordsAt(tx, filter, page.rows);
    const total = totalBeside(counted, { offset: asked.offset, rows: rows.length, more: page.next !== null });
    return { total, rows, next: page.next, searched: null };
  });
}

/** Places of the records that match, in the order of the file: those after a place. */
export async function placesInFile(
  tx: Db,
  filter: RecordFilter,
  after: RecordPlace | undefined,
  limit: number,
): Promise<readonly RecordPlace[]> {
  const matching = await matchingRecords(tx, filter);
  const read = matching.besidesFew ? sortedPlaces : walkedPlaces;
  return read(tx, matching, fileOrder, { offset: 0, limit, after });
}

/** Few are sorted as they are found; of many the indexes give the page. */
function placesOf(
  tx: Db,
  matching: MatchingRecords,
  counted: Total,
  order: RecordOrder,
  rows: Rows<RecordPlace>,
): Promise<RecordPlace[]> {
  const areFew = !counted.isEstimate && counted.rows <= mostCounted;
  return (matching.besidesFew || (areFew && order.by !== 'position') ? sortedPlaces : walkedPlaces)(
    tx,
    matching,
    order,
    rows,
  );
}

async function recordsAt(tx: Db, filter: RecordFilter, places: readonly RecordPlace[]): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select ${columns} from calls c
    where ${ofBatch(filter)} and c.position = any (${places.map(({ position }) => position)}::integer[])`.execute(tx);
  const at = new Map(rows.map((row) => [row.position, row]));
  return places.flatMap(({ position }) => at.get(position) ?? []);
}
