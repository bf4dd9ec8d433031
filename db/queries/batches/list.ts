import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { countedUpTo, totalBeside, type Total } from '../counted.js';
import { type BatchDetailRow, detailColumns, detailJoins } from './batches.js';

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

export interface BatchPage {
  readonly total: Total;
  readonly batches: readonly BatchDetailRow[];
}

/** A text as part of a LIKE pattern in which it means itself. */
export const likeAnywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A page of the account's batches, newest first; those of one instant by id, so that pages never overlap. */
export async function listBatchCalls(
  db: Db,
  accountId: string,
  { statuses, search, createdFrom, createdUntil }: BatchFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
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
  const [count, page] = await Promise.all([
    countedUpTo(db, [sql`select 1 from batches b where ${matching}`]),
    sql<BatchDetailRow>`
      select ${detailColumns}
      from (
        select b.* from batches b where ${matching} order by b.created_at desc, b.id desc offset ${offset} limit ${limit + 1}
      ) b ${detailJoins}
      order by b.created_at desc, b.id desc`.execute(db),
  ]);
  const batches = page.rows.slice(0, limit);
  const total = totalBeside(count, { offset, rows: batches.length, more: page.rows.length > limit });
  return { total, batches };
}
