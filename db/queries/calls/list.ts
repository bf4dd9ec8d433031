import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import { ofOneInstant } from '../one-instant.js';
import type { CallAttempts, CallTransfers } from '../../types.js';
import type { CallRow, CallWithAttempts } from './calls.js';
import { currencyOf } from '../accounts/prices.js';
import { areReadByRecording, isPlain, partsOf, type CallFilter } from './filter.js';
import { type CallsThatSaid, callsThatSaid } from './transcript-words.js';
import { countedUpTo, exactly, mostCounted, totalBeside, upTo, type Total } from '../counted.js';
import { instantOf, microsecondsOf, type Rows, shown, skippedBy } from '../rows.js';

/** Where a call stands: microseconds of its creation, or its place in the file in the list of a batch; and its id. */
export type CallPlace = readonly [string, string];

interface IdAtPlace {
  readonly id: string;
  readonly at: string;
}

/**
 * A page of the account's calls, a batch's among them, newest first; those of one instant by id, those of one batch from the
 * end of its file, so that pages never overlap.
 */
export async function listCalls(
  db: Db,
  accountId: string,
  filter: CallFilter,
  rows: Rows<CallPlace>,
): Promise<{
  readonly total: Total;
  readonly calls: readonly CallWithAttempts[];
  readonly next: CallPlace | null;
  /** Instant of the oldest call that was looked at, if so many have the words that older ones were not looked for; else null. */
  readonly searchedFrom: Date | null;
}> {
  return ofOneInstant(db, async (tx) => {
    const said = await saidIn(tx, accountId, filter, rows);
    const narrowed = said === null ? filter : { ...filter, ids: idsOfBoth(filter.ids, said.ids) };
    const parts = await partsOf(tx, accountId, narrowed);
    const end = said?.end ?? null;
    const isWithPage =
      filter.search !== '' && (rows.counted ?? rows.after) === undefined && rows.offset + rows.limit <= mostCounted;
    const { counted, found } =
      parts.length === 0
        ? { counted: exactly(0), found: [] }
        : isWithPage
          ? await countWithPage(tx, narrowed, parts, rows)
          : await countThenPage(tx, accountId, narrowed, parts, rows);
    const { rows: page, next } = shown(found, rows.limit, ({ at, id }): CallPlace => [at, id]);
    const calls = await callsById(
      tx,
      accountId,
      page.map(({ id }) => id),
    );
    const seen = { offset: rows.offset, rows: calls.length, more: next !== null };
    return {
      total:
        end === null
          ? totalBeside(counted, seen)
          : { rows: Math.max(counted.rows, calls.length === 0 ? 0 : rows.offset + calls.length), isEstimate: true },
      calls: await withAttempts(tx, accountId, calls),
      next: next ?? (end === null ? null : await placeOfCall(tx, filter, end)),
      searchedFrom: end === null || filter.batchId !== undefined ? null : new Date(Number(end.at) / 1_000),
    };
  });
}

/** The calls with the words that are asked for, after the place where a page begins; null: no words are asked for. */
async function saidIn(
  tx: Db,
  accountId: string,
  filter: CallFilter,
  { after }: Rows<CallPlace>,
): Promise<CallsThatSaid | null> {
  if (filter.words === undefined) return null;
  const place = after === undefined ? undefined : { at: after[0], id: after[1] };
  return callsThatSaid(tx, accountId, filter.words, filter, place);
}

const idsOfBoth = (asked: readonly string[] | undefined, said: readonly string[]): readonly string[] =>
  asked === undefined ? said : said.filter((id) => asked.includes(id));

/** Where the list goes on after a call that it need not contain. */
async function placeOfCall(
  tx: Db,
  { batchId }: CallFilter,
  { at, id }: { at: string; id: string },
): Promise<CallPlace> {
  if (batchId === undefined) return [at, id];
  const { rows } = await sql<{ position: string }>`
    select position::text from calls where id = ${id}::uuid and batch_id = ${batchId}`.execute(tx);
  return [rows[0]?.position ?? '0', id];
}

/** What a page is in order of, as its statement and as a cursor have it. */
const placeOf = ({
  batchId,
}: CallFilter): { readonly place: RawBuilder<unknown>; readonly shown: RawBuilder<unknown> } =>
  batchId === undefined
    ? { place: sql`created_at`, shown: microsecondsOf(sql`created_at`) }
    : { place: sql`position`, shown: sql`position::text` };

/** All calls of a batch are of one instant, and their ids ascend with their places, by which there is an index. */
const newest = (filter: CallFilter): RawBuilder<unknown> => sql`${placeOf(filter).place} desc, id desc`;

/** What the calls of a part are read from, in whose order. */
function sourceOf(filter: CallFilter) {
  if (areReadByRecording(filter)) {
    const [place, id] = [sql`r.call_created_at`, sql`r.call_id`];
    return {
      from: sql`recordings r join calls c on c.id = r.call_id`,
      place,
      id,
      order: sql`${place} desc, ${id} desc`,
    };
  }
  const [place, id] = [sql`c.${placeOf(filter).place}`, sql`c.id`];
  return { from: sql`calls c`, place, id, order: sql`${place} desc, ${id} desc` };
}

interface CountedPage {
  readonly counted: Total;
  /** Of the page, and of one call more, which tells whether another page follows. */
  readonly found: readonly IdAtPlace[];
}

/**
 * Both from the newest calls that are counted: a search by an index that does not have them in order finds them all, and would
 * do so twice.
 */
async function countWithPage(
  tx: Db,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
  rows: Rows<CallPlace>,
): Promise<CountedPage> {
  const order = newest(filter);
  const { shown: at } = placeOf(filter);
  const { rows: found } = await sql<{ total: number; id: string | null; at: string }>`
    with newest as materialized (
      select * from (${newestOfParts(filter, parts, mostCounted + 1)}) m order by ${order} limit ${mostCounted + 1}
    )
    select counted.total, page.id, page.at from (select count(*)::integer as total from newest) counted
    left join (
      select id, ${at} as at, row_number() over (order by ${order}) as place from newest
      order by ${order} offset ${rows.offset} limit ${rows.limit + 1}
    ) page on true order by page.place`.execute(tx);
  const total = found[0]?.total ?? 0;
  return {
    counted: upTo(total),
    found: found.flatMap(({ id, at }) => (id === null ? [] : [{ id, at }])),
  };
}

async function countThenPage(
  tx: Db,
  accountId: string,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
  rows: Rows<CallPlace>,
): Promise<CountedPage> {
  const counted = rows.counted ?? (await totalOf(tx, accountId, filter, parts));
  const isPast = rows.after === undefined && !counted.isEstimate && rows.offset >= counted.rows;
  return { counted, found: isPast ? [] : await idsOfPage(tx, filter, parts, rows) };
}

/** Rows are not counted if a counter has the number. */
async function totalOf(
  tx: Db,
  accountId: string,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
): Promise<Total> {
  const { from, order } = sourceOf(filter);
  if (!isPlain(filter))
    return countedUpTo(
      tx,
      // By the index that the page is read by: otherwise the planner would begin with the oldest calls, which are not in memory.
      parts.map((part) => sql`select 1 from ${from} where ${part} order by ${order}`),
    );
  const { rows } =
    filter.batchId === undefined
      ? await sql<{ calls: number }>`
          select coalesce(sum(calls), 0)::float8 as calls from call_totals where account_id = ${accountId}`.execute(tx)
      : await sql<{ calls: number }>`
          select calls_of_counters(k)::float8 as calls from batch_counters k
          where k.batch_id = ${filter.batchId} and k.account_id = ${accountId}`.execute(tx);
  return exactly(rows[0]?.calls ?? 0);
}

/** Ids of the page, and of one call more, which tells whether another page follows. */
async function idsOfPage(
  tx: Db,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
  rows: Rows<CallPlace>,
): Promise<IdAtPlace[]> {
  const order = newest(filter);
  const { shown: at } = placeOf(filter);
  const skipped = skippedBy(rows);
  const most = rows.limit + 1;
  const { rows: found } = await sql<IdAtPlace>`
    select id, ${at} as at from (
      select * from (${newestOfParts(filter, parts, skipped + most, rows.after)}) m
      order by ${order} offset ${skipped} limit ${most}
    ) page order by ${order}`.execute(tx);
  return found;
}

/**
 * So many of the newest calls of each part, after this place if there is one. It names nothing that the index does not have: a
 * page far back is found without reading the calls before it.
 */
function newestOfParts(
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
  most: number,
  after?: CallPlace,
): RawBuilder<unknown> {
  const { from, place, id, order } = sourceOf(filter);
  const following = comesAfter(sql`(${place}, ${id})`, filter.batchId !== undefined, after);
  const pieces = parts.map(
    (part) => sql`(select c.id, c.${placeOf(filter).place} from ${from} where ${part} ${following}
      order by ${order} limit ${most})`,
  );
  return sql.join(pieces, sql` union all `);
}

function comesAfter(place: RawBuilder<unknown>, isOfBatch: boolean, after: CallPlace | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql``;
  const [at, id] = after;
  return sql`and ${place} < (${isOfBatch ? sql`${at}::bigint` : instantOf(at)}, ${id}::uuid)`;
}

async function callsById(tx: Db, accountId: string, ids: readonly string[]): Promise<CallRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CallRow>`
    select c.* from unnest(${[...ids]}::uuid[]) with ordinality as z (id, place)
    join calls c on c.id = z.id where c.account_id = ${accountId} order by z.place`.execute(tx);
  return rows;
}

/** These calls with what their timelogs are made of. */
export async function withAttempts(tx: Db, accountId: string, calls: readonly CallRow[]): Promise<CallWithAttempts[]> {
  if (calls.length === 0) return [];
  const ids = calls.map(({ id }) => id);
  const { rows: attempts } = await sql<Selectable<CallAttempts>>`
    select * from call_attempts where account_id = ${accountId} and call_id = any (${ids}::uuid[])
    order by call_id, number`.execute(tx);
  const { rows: transfers } = await sql<Selectable<CallTransfers>>`
    select * from call_transfers where account_id = ${accountId} and call_id = any (${ids}::uuid[])
    order by call_id, id`.execute(tx);
  const { rows: recordings } = await sql<{ call_id: string }>`
    select call_id from recordings where account_id = ${accountId} and call_id = any (${ids}::uuid[])`.execute(tx);
  const names = await namesOfBatches(tx, accountId, calls);
  const isPriced = attempts.some(({ cost, unpriced }) => cost !== null || unpriced === true);
  const currency = isPriced ? await currencyOf(tx, accountId) : null;
  return calls.map((call) => ({
    call,
    batchName: names.get(call.batch_id ?? '') ?? null,
    currency,
    attempts: attempts.filter(({ call_id }) => call_id === call.id),
    transfers: transfers.filter(({ call_id }) => call_id === call.id),
    isRecorded: recordings.some(({ call_id }) => call_id === call.id),
  }));
}

/** By id. A batch that was deleted has none: its calls are removed after it. */
async function namesOfBatches(
  tx: Db,
  accountId: string,
  calls: readonly CallRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(calls.flatMap(({ batch_id: id }) => id ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from batches where account_id = ${accountId} and id = any (${ids}::text[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
