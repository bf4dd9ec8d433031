import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../client.js';

/** How many rows a list has. */
export interface Total {
  readonly rows: number;
  /** There are more: only so many were counted. */
  readonly isEstimate: boolean;
}

/** More rows are not counted: a list of years would take longer to count than to show. */
export const mostCounted = 10_000;

export const exactly = (rows: number): Total => ({ rows, isEstimate: false });

/**
 * How many rows these queries have together; beyond `mostCounted` that they have more.
 *
 * @param parts queries whose rows do not overlap, each of one column; in the order of an index, if they should be read by it
 */
export async function countedUpTo(db: Db, parts: readonly RawBuilder<unknown>[]): Promise<Total> {
  const limited = parts.map((part) => sql`(${part} limit ${mostCounted + 1})`);
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select 1 from (${sql.join(limited, sql` union all `)}) parts limit ${mostCounted + 1}
    ) counted`.execute(db);
  return upTo(rows[0]?.total ?? 0);
}

/** The total of a list of which at most one row more than `mostCounted` was counted. */
export const upTo = (counted: number): Total => ({
  rows: Math.min(counted, mostCounted),
  isEstimate: counted > mostCounted,
});

/** What a page of a list knows of its end. */
export interface SeenPage {
  readonly offset: number;
  /** Rows on the page. */
  readonly rows: number;
  /** Whether a row comes after it. */
  readonly more: boolean;
}

/**
 * A total that fits the page that is shown with it: if rows were not counted to their end, it is never less than what
 * has been seen, so that paging reaches the last row.
 */
export function totalBeside(counted: Total, { offset, rows, more }: SeenPage): Total {
  if (!counted.isEstimate) return counted;
  if (rows > 0 && !more) return exactly(offset + rows);
  return { rows: Math.max(counted.rows, rows === 0 ? 0 : offset + rows + 1), isEstimate: true };
}
