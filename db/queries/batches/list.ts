import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { instantOf, microsecondsOf, type Rows, shown, skippedBy } from '../rows.js';
import { type BatchDetailRow, type BatchRowWithoutRoom, detailColumns, detailJoins, withRoom } from './batches.js';

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
    ${createdUntil === null ? sql`` : sql`and b.created_at <= ${createdUntil}`}
    ${
      search === ''
        ? sql``
        : sql`and (b.name ilike ${pattern} or b.description ilike ${pattern} or b.from_number like ${pattern}
            or b.id like ${pattern})`
    }`;
  const { offset, limit, after } = asked;
  const following = after === undefined ? sql`` : sql`and (b.created_at, b.id) < (${instantOf(after[0])}, ${after[1]})`;
  const [count, page] = await Promise.all([
    asked.counted ?? countedUpTo(db, [sql`select 1 from batches b where ${matching}`]),
    sql<BatchRowWithoutRoom & { readonly at: string }>`
      select ${detailColumns}, ${microsecondsOf(sql`b.created_at`)} as at
      from (
        select b.* from batches b where ${matching} ${following}
        order by b.created_at desc, b.id desc offset ${skippedBy(asked)} limit ${limit + 1}
      ) b ${detailJoins}
      order by b.created_at desc, b.id desc`.execute(db),
  ]);
  const { rows, next } = shown(page.rows, limit, ({ at, id }): BatchPlace => [at, id]);
  const batches = await withRoom(db, accountId, rows);
  return { total: totalBeside(count, { offset, rows: batches.length, more: next !== null }), batches, next };
}
