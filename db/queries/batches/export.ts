import { sql } from 'kysely';
import type { RecordStatus } from '../../../domain/call/call.js';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import { type PricedRecord, pricedRecordColumns } from './priced-record.js';
import type { RecordFilter } from './record-filter.js';
import type { RecordPlace } from './record-order.js';
import { placesInFile } from './records.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** A record with what an export says of it. */
export interface ExportedRecord extends PricedRecord {
  readonly id: string;
  /** Place in the file, from 0. */
  readonly position: number;
  readonly recipientId: string | null;
  readonly variant: string | null;
  readonly phoneNumber: string;
  /** That the last attempt was made from; null before the first. */
  readonly calledFrom: string | null;
  readonly metadata: unknown;
  readonly status: RecordStatus;
  readonly reason: EndReason | null;
  readonly preDialReason: string | null;
  readonly sipStatusCode: number | null;
  readonly attempts: number;
  readonly answeredBy: string | null;
  readonly talkSeconds: number | null;
  readonly lastAttemptAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly calledBackBy: string | null;
  readonly analysis: unknown;
  readonly success: boolean | null;
  readonly analysisError: string | null;
  /** null unless it was asked for. */
  readonly summary: string | null;
  readonly transcript: unknown;
}

/** What an export has if it is asked for. */
export const exportedOnRequest = ['summary', 'transcript'] as const;
export type ExportedOnRequest = (typeof exportedOnRequest)[number];

const recordsAtOnce = 1_000;
/** A transcript may be an hour of talk. */
const transcriptsAtOnce = 50;

/**
 * The records that match in the order of the file, a page at a time, each as it is when its page is read. Pages go by key:
 * nothing is held open in the database while a slow client reads.
 */
export async function* recordPages(
  db: Db,
  filter: RecordFilter,
  include: readonly ExportedOnRequest[] = [],
): AsyncGenerator<readonly ExportedRecord[]> {
  const limit = include.includes('transcript') ? transcriptsAtOnce : recordsAtOnce;
  for (let after: RecordPlace | undefined; ;) {
    const { places, rows } = await readPage(db, filter, include, { after, limit });
    if (rows.length > 0) yield rows;
    if (places.length < limit) return;
    after = places.at(-1);
  }
}

/** Of one instant: what is shown of a record is what it was found by. */
const readPage = (
  db: Db,
  filter: RecordFilter,
  include: readonly ExportedOnRequest[],
  { after, limit }: { readonly after: RecordPlace | undefined; readonly limit: number },
) =>
  ofOneInstant(db, async (tx) => {
    const places = await placesInFile(tx, filter, after, limit);
    const { rows } = await sql<ExportedRecord>`
      select c.id, c.position, c.recipient_id as "recipientId", c.variant, c.to_number as "phoneNumber", a.caller as "calledFrom", c.metadata, c.status, c.reason, c.pre_dial_reason as "preDialReason",
        c.sip_status_code as "sipStatusCode", c.attempts_made as attempts, c.answered_by as "answeredBy",
        c.talk_seconds as "talkSeconds", a.dialed_at as "lastAttemptAt", c.next_attempt_at as "nextAttemptAt", c.called_back_by as "calledBackBy", ${pricedRecordColumns},
        c.analysis, c.success, c.analysis_error as "analysisError",
        ${include.includes('summary') ? sql`c.summary` : sql`null`} as summary,
        ${include.includes('transcript') ? sql`c.transcript` : sql`null`} as transcript
      from calls c
      left join lateral (
        select a.dialed_at, coalesce(a.caller, c.from_number) as caller from call_attempts a
        where a.call_id = c.id and a.dialed_at is not null
          -- An INVITE that was let out and never sent, or that the carrier would not take, is none of the attempts that are counted.
          and (a.number <= c.attempts_made or a.phase in ('dialing', 'ringing', 'answered'))
        order by a.number desc limit 1
      ) a on true
      where c.batch_id = ${filter.batchId} and c.account_id = ${filter.accountId}
        and c.position = any (${places.map(({ position }) => position)}::integer[])
      order by c.position`.execute(tx);
    return { places, rows };
  });

export interface ExportedBatch {
  readonly name: string;
  /** Of the file, in its order, phone_number included. */
  readonly columns: readonly string[];
  /** Whether recipients have ids of the client's own. */
  readonly hasIds: boolean;
  /** Whether the client was asked about recipients before they were dialed. */
  readonly asksFirst: boolean;
  readonly hasVariants: boolean;
  /** Whether it calls from several numbers. */
  readonly hasNumbers: boolean;
  /** Whether its account has prices. */
  readonly hasPrices: boolean;
  /** What its calls were analyzed for. */
  readonly analysisFields: readonly string[];
}

export async function findBatchColumns(db: Db, accountId: string, batchId: string): Promise<ExportedBatch | null> {
  const { rows } = await sql<ExportedBatch>`
    select name, columns, pre_dial is not null as "asksFirst", variants is not null as "hasVariants", phone_numbers is not null as "hasNumbers",
      exists (select 1 from account_prices p where p.account_id = b.account_id) as "hasPrices", analysis_fields as "analysisFields", exists (
      select 1 from calls c where c.batch_id = b.id and c.recipient_id is not null) as "hasIds"
    from batches b where account_id = ${accountId} and id = ${batchId}`.execute(db);
  return rows[0] ?? null;
}
