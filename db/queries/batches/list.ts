import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { endOfMillisecond, instantOf, microsecondsOf, type Rows, shown, skippedBy } from '../rows.js';
import { byIndexes } from '../by-indexes.js';
import { type BatchDetailRow, detailsOf } from './batches.js';

export interface BatchFilter {
  /** Empty: all. */
  readonly statuses: readonly BatchStatus[];
  /** Part of the name, the description, the number called from or the id, in any casing; empty: all. */
  readonly search: string;
  /** Created at this instant or later. */
  readonly createdFrom: Date | null;
  /** Created at this instant or earlier. */
  readonly createdUntil: Date | null;
}

/** Where a batch stands: microseconds of its creation, and its id. */
export type BatchPlace = readonly [string, string];

export interface BatchPage {
  readonly total: Total;
  readonly batches: readonly BatchDetailRow[];
  readonly next: BatchPlace | null;
}

/** A text as part of a LIKE pattern in which it means itself. */
export const likeAnywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A page of the account's batches, newest first; those of one instant by id, so that pages never overlap. */
export async function listBatchCalls(
  db: Db,
  accountId: string,
  { statuses, search, createdFrom, createdUntil }: BatchFilter,
  asked: Rows<BatchPlace>,
): Promise<BatchPage> {
  const pattern = likeAnywhere(search);
  const matching = sql`
    b.account_id = ${accountId}
    ${statuses.length === 0 ? sql`` : sql`and b.status = any (${[...statuses]}::text[])`}
    ${createdFrom === null ? sql`` : sql`and b.created_at >= ${createdFrom}`}
    ${createdUntil === null ? sql`` : sql`and b.created_at <= ${endOfMillisecond(createdUntil)}`}
    ${
      search === ''
        ? sql``
        : sql`and (b.name ilike ${pattern} or b.description ilike ${pattern} or b.from_number like ${pattern}
            or b.id like ${pattern})`
    }`;
  const { offset, limit, after } = asked;
  const following = after === undefined ? sql`` : sql`and (b.created_at, b.id) < (${instantOf(after[0])}, ${after[1]})`;
  const [count, { batches, next }] = await Promise.all([
    asked.counted ?? countedUpTo(db, [sql`select 1 from batches b where ${matching}`]),
    byIndexes(db, async (tx) => {
      const { rows: found } = await sql<{ readonly id: string; readonly at: string }>`
        select b.id, ${microsecondsOf(sql`b.created_at`)} as at from batches b where ${matching} ${following}
        order by b.created_at desc, b.id desc offset ${skippedBy(asked)} limit ${limit + 1}`.execute(tx);
      const page = shown(found, limit, ({ at, id }): BatchPlace => [at, id]);
      const ids = page.rows.map(({ id }) => id);
      return { batches: await detailsOf(tx, accountId, ids), next: page.next };
    }),
  ]);
  return { total: totalBeside(count, { offset, rows: batches.length, more: next !== null }), batches, next };
}
