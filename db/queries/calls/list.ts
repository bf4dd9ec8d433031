import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from '../../client.js';
import type { CallAttempts, CallTransfers } from '../../types.js';
import type { CallRow, CallWithAttempts } from './calls.js';
import { isPlain, partsOf, type CallFilter } from './filter.js';
import { countedUpTo, exactly, totalBeside, type Total } from '../counted.js';

/**
 * A page of the account's calls, a batch's among them, newest first; those of one instant by id, those of one batch from the
 * end of its file, so that pages never overlap.
 */
export async function listCalls(
  db: Db,
  accountId: string,
  filter: CallFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: Total; readonly calls: readonly CallWithAttempts[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const parts = await partsOf(tx, accountId, filter);
      if (parts.length === 0) return { total: exactly(0), calls: [] };
      const counted = await totalOf(tx, accountId, filter, parts);
      const isPast = !counted.isEstimate && offset >= counted.rows;
      // One more than the page holds tells whether another follows.
      const ids = isPast ? [] : await idsOfPage(tx, filter, parts, offset, limit + 1);
      const rows = await callsById(tx, accountId, ids.slice(0, limit));
      const total = totalBeside(counted, { offset, rows: rows.length, more: ids.length > limit });
      return { total, calls: await withAttempts(tx, accountId, rows) };
    });
}

/** All calls of a batch are of one instant, and their ids ascend with their places, by which there is an index. */
const newest = ({ batchId }: CallFilter): RawBuilder<unknown> =>
  batchId === undefined ? sql`created_at desc, id desc` : sql`position desc, id desc`;

/** Rows are not counted if a counter has the number. */
async function totalOf(
  tx: Db,
  accountId: string,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
): Promise<Total> {
  if (!isPlain(filter))
    return countedUpTo(
      tx,
      // By the index that the page is read by: otherwise the planner would begin with the oldest calls, which are not in memory.
      parts.map((part) => sql`select 1 from calls c where ${part} order by ${newest(filter)}`),
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

async function idsOfPage(
  tx: Db,
  filter: CallFilter,
  parts: readonly RawBuilder<unknown>[],
  offset: number,
  limit: number,
): Promise<string[]> {
  const order = newest(filter);
  // Nothing that the index does not have: a page far back is found without reading the calls before it.
  const place = filter.batchId === undefined ? sql`c.created_at` : sql`c.position`;
  const pieces = parts.map(
    (part) => sql`(select c.id, ${place} from calls c where ${part}
      order by ${order} limit ${offset + limit})`,
  );
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(pieces, sql` union all `)}) m order by ${order} offset ${offset} limit ${limit}`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
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
  return calls.map((call) => ({
    call,
    attempts: attempts.filter(({ call_id }) => call_id === call.id),
    transfers: transfers.filter(({ call_id }) => call_id === call.id),
    isRecorded: recordings.some(({ call_id }) => call_id === call.id),
  }));
}
