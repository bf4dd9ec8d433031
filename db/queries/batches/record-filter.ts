import { sql, type RawBuilder } from 'kysely';
import { type AnsweredBy, settledStatuses, type RecordStatus } from '../../../domain/call/call.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { Db } from '../../client.js';
import type { TalkRange } from './talk-range.js';
import { askedBesides, placesOfFound } from './record-besides.js';
import { likeAnywhere } from './list.js';

/** A filter of records; an empty list or text matches all. */
export interface RecordFilter {
  readonly accountId: string;
  readonly batchId: string;
  readonly statuses: readonly RecordStatus[];
  readonly answeredBy: readonly AnsweredBy[];
  readonly reasons: readonly EndReason[];
  readonly attempts: readonly number[];
  readonly sipStatusCodes: readonly number[];
  /** What was found out in the call: properties of its analysis with their values as text. */
  readonly analysis: readonly { readonly field: string; readonly value: string }[];
  /** How long the call talked, if it is over. */
  readonly talk?: TalkRange | undefined;
  /** Keys of variants; omitted or empty: any, or none. */
  readonly variants?: readonly string[] | undefined;
  /** Part of the number or of a value of the row, in any casing. */
  readonly search: string;
}

/** All records of a batch. */
export const allRecords = (accountId: string, batchId: string): RecordFilter => ({
  ...{ accountId, batchId, statuses: [], answeredBy: [], reasons: [], attempts: [], sipStatusCodes: [] },
  ...{ analysis: [], search: '' },
});

type Condition = RawBuilder<unknown>;

/** How calls of a batch came to their end: what `ended_facts` holds (db/migrations/0075-ends-of-records.sql). */
export interface EndFacts {
  /** As the column has it. */
  readonly key: string;
  readonly status: string;
  /** Empty: none. */
  readonly reason: string;
  readonly sipStatusCode: string;
  readonly attempts: string;
  /** Empty unless answered. */
  readonly answeredBy: string;
  readonly talked: boolean;
}

function endFacts(key: string): EndFacts {
  const parts = key.split('|');
  const part = (place: number): string => parts[place] ?? '';
  return {
    ...{ key, status: part(0), reason: part(1), sipStatusCode: part(2), attempts: part(3), answeredBy: part(4) },
    talked: part(5) !== '',
  };
}

/** That calls `c` are the batch's, and the batch the account's: asked once, so that an index alone can answer the rest. */
export const ofBatch = ({ accountId, batchId }: Pick<RecordFilter, 'accountId' | 'batchId'>): Condition =>
  sql`c.batch_id = ${batchId} and (
    select true from batches b where b.id = ${batchId} and b.account_id = ${accountId})`;

/** All ways in which calls of the batch have ended: from one to the next in their index. */
async function findEndFacts(tx: Db, filter: RecordFilter): Promise<EndFacts[]> {
  const next = sql`select c.ended_facts as key from calls c where ${ofBatch(filter)} and c.ended_facts is not null`;
  const { rows } = await sql<{ key: string }>`
    with recursive ends as (
      (${next} order by 1 limit 1)
      union all
      select (${next} and c.ended_facts > e.key order by 1 limit 1) from ends e where e.key is not null
    )
    select key from ends where key is not null`.execute(tx);
  return rows.map(({ key }) => endFacts(key));
}

const includes = (asked: readonly (string | number)[], value: string): boolean =>
  asked.length === 0 || asked.some((each) => String(each) === value);

const matches = (filter: RecordFilter, facts: EndFacts): boolean =>
  (filter.talk === undefined || facts.talked) &&
  includes(filter.statuses, facts.status) &&
  includes(filter.answeredBy, facts.answeredBy) &&
  includes(filter.reasons, facts.reason) &&
  includes(filter.attempts, facts.attempts) &&
  includes(filter.sipStatusCodes, facts.sipStatusCode);

const isSettled = (status: RecordStatus): boolean => settledStatuses.some((settled) => settled === status);

/** Whether more is asked for than a text, or what an analysis found. */
const asksForFacts = (filter: RecordFilter): boolean => {
  const { statuses, answeredBy, reasons, attempts, sipStatusCodes } = filter;
  return (
    isOnlyOfEnded(filter) || [statuses, answeredBy, reasons, attempts, sipStatusCodes].some((asked) => asked.length > 0)
  );
};

/** Talk times are those of calls that are over. */
const isOnlyOfEnded = ({ talk }: RecordFilter): boolean => talk !== undefined;

/**
 * Which calls that are not over match; null: none can. They are read in their own index, which has none that is over. Who answered,
 * and what was found out, is only known of others.
 */
async function openCondition(tx: Db, filter: RecordFilter): Promise<Condition | null> {
  const { statuses, answeredBy, reasons, attempts, sipStatusCodes } = filter;
  const open = statuses.filter((status) => !isSettled(status));
  if (isOnlyOfEnded(filter) || answeredBy.length > 0 || (statuses.length > 0 && open.length === 0)) return null;
  const conditions = [sql`not c.settled`];
  if (open.length > 0) conditions.push(sql`c.status = any (${open}::text[])`);
  if (reasons.length > 0) conditions.push(sql`c.reason = any (${[...reasons]}::text[])`);
  if (attempts.length > 0) conditions.push(sql`c.attempts_made = any (${[...attempts]}::integer[])`);
  if (sipStatusCodes.length > 0) conditions.push(sql`c.sip_status_code = any (${[...sipStatusCodes]}::integer[])`);
  const ofPending = open.length === 0 || open.includes('pending');
  const isOfStarted = !ofPending || reasons.length > 0 || sipStatusCodes.length > 0 || isMoreThanNone(attempts);
  if (!isOfStarted) return all(conditions);
  const started = await startedCondition(tx, filter);
  return started === null ? null : all([started, ...conditions]);
}

const all = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`;
const isMoreThanNone = (attempts: readonly number[]): boolean => attempts.length > 0 && !attempts.includes(0);

/**
 * Which calls that are not over may have been dialed; null: none has. There is no index of them, because each attempt would write it.
 * They are live, or an attempt of theirs has planned the next, or they were called again. If more attempts than there are open
 * calls have planned one, or if these are not all that counters know of, the open calls are looked through.
 */
async function startedCondition(tx: Db, { accountId, batchId }: RecordFilter): Promise<Condition | null> {
  const { rows } = await sql<{ gatewayId: string; started: number; areFewer: boolean }>`
    select b.gateway_id as "gatewayId", k.dialing + k.in_progress + k.retrying as started,
      k.pending + k.dialing + k.in_progress + k.retrying >= (
        select count(*) from (
          select 1 from call_attempts a where a.batch_id = b.id and a.next_attempt_at is not null
          limit k.pending + k.dialing + k.in_progress + k.retrying + 1) planned) as "areFewer"
    from batches b join batch_counters k on k.batch_id = b.id
    where b.id = ${batchId} and b.account_id = ${accountId}`.execute(tx);
  const [batch] = rows;
  if (batch === undefined || batch.started === 0) return null;
  if (!batch.areFewer) return sql`true`;
  const byAttempts = sql`c.position = any (array(
    select a.position from call_attempts a where a.batch_id = ${batchId} and a.next_attempt_at is not null
    union
    select a.position from call_attempts a where a.batch_id = ${batchId} and a.again
    union
    select a.position from call_attempts a
    where a.gateway_id = ${batch.gatewayId} and a.lane = ${batchId}
      and a.phase in ('claimed', 'dialing', 'ringing', 'answered')))`;
  const { rows: known } = await sql<{ calls: number }>`
    select count(*)::integer as calls from calls c
    where ${ofBatch({ accountId, batchId })} and c.status in ('dialing', 'in-progress', 'retrying') and ${byAttempts}`.execute(
    tx,
  );
  return known[0]?.calls === batch.started ? byAttempts : sql`true`;
}

/** That call `c` has the text in its number or in a value of its row. */
export function searched(search: string): Condition {
  const pattern = likeAnywhere(search);
  // The text of the whole row is looked at first: taking it apart is dear, and names of columns must not match.
  const asJson = likeAnywhere(JSON.stringify(search).slice(1, -1));
  return sql`(c.to_number like ${pattern} or (c.metadata::text ilike ${asJson} and exists (
    select 1 from json_each_text(c.metadata) cell where cell.value ilike ${pattern})))`;
}

/** The records that a filter finds, as lists read them. */
export interface MatchingRecords {
  readonly filter: RecordFilter;
  /** In which of these ways their calls ended. */
  readonly ends: readonly EndFacts[];
  /** What holds for those of them that are not over; null: none of them matches. */
  readonly open: Condition | null;
  /** Every end, and every open call, matches. */
  readonly isEveryEnd: boolean;
  /** What must hold besides, to be asked of each record. */
  readonly besides: readonly Condition[];
  /** All that is asked for is what one analysis found: the places that have it, by the index; else null. */
  readonly onlyFound: RawBuilder<unknown> | null;
  /** The conditions of `besides` are only true for few records, which an index gives. */
  readonly besidesFew: boolean;
}

/** Looks up how a filter is best answered. */
export async function matchingRecords(tx: Db, filter: RecordFilter): Promise<MatchingRecords> {
  const facts = await findEndFacts(tx, filter);
  const { conditions, few } = await askedBesides(tx, filter);
  const isEveryEnd = !asksForFacts(filter);
  const [asked, ...others] = filter.analysis;
  const isOfVariant = (filter.variants ?? []).length > 0;
  const isAlone = others.length === 0 && !isOfVariant && filter.search === '';
  const isOnly = asked !== undefined && isAlone && isEveryEnd;
  return {
    filter,
    ends: facts.filter((each) => matches(filter, each)),
    open: await openCondition(tx, filter),
    isEveryEnd,
    onlyFound: isOnly ? placesOfFound(filter, asked) : null,
    besides: [...conditions, ...(filter.search === '' ? [] : [searched(filter.search)])],
    besidesFew: few,
  };
}

/** Any of the ends and of the open calls that match; for what is read in another order than theirs. */
export function anyEnd({ ends, open, isEveryEnd }: Pick<MatchingRecords, 'ends' | 'open' | 'isEveryEnd'>): Condition {
  if (isEveryEnd) return sql`true`;
  const ended = sql`c.ended_facts = any (${ends.map(({ key }) => key)}::text[])`;
  return open === null ? ended : sql`(${ended} or ${open})`;
}
