import { sql, type RawBuilder } from 'kysely';
import type { Total } from './counted.js';

/** Which rows of a list are asked for: by their number, or by the row that they come after. */
export interface Rows<Place> {
  /** Rows before them. */
  readonly offset: number;
  readonly limit: number;
  /** Place of the row before them, by which an index finds them however many there are; omitted: `offset` rows are skipped. */
  readonly after?: Place | undefined;
  /** The page is asked for by a cursor, with which the next begins wherever this one says. */
  readonly byCursor?: boolean;
  /** The list's total, if it has been counted before. */
  readonly counted?: Total | undefined;
}

/** Rows that a statement still has to skip. */
export const skippedBy = ({ after, offset }: Rows<unknown>): number => (after === undefined ? offset : 0);

/** An instant as a whole number of microseconds since 1970, as PostgreSQL keeps it: a Date would drop three digits. */
export const microsecondsOf = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(extract(epoch from ${column}) * 1000000)::bigint::text`;

export const instantOf = (microseconds: string): RawBuilder<Date> =>
  sql<Date>`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond')`;

/** The end of the millisecond that a client names: an instant is shown without the microseconds that PostgreSQL keeps, and is meant with them. */
export const endOfMillisecond = (at: Date): RawBuilder<Date> =>
  sql<Date>`(${at}::timestamptz + interval '999 microseconds')`;

/** What a statement found that asked for one row more than are shown: these, and the place of the last if others follow. */
export function shown<Row, Place>(
  found: readonly Row[],
  limit: number,
  placeOf: (row: Row) => Place,
): { readonly rows: readonly Row[]; readonly next: Place | null } {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
