import { sql, type RawBuilder } from 'kysely';
import type { RecordOrder, RecordSort } from '../../../domain/batch/record-order.js';
import { instantOf, microsecondsOf } from '../rows.js';
import type { EndFacts } from './record-filter.js';

/** Where a record stands in a sorted list: its value in that order as text, null if it has none; and its place in the batch. */
export interface RecordPlace {
  readonly value: string | null;
  readonly position: number;
}

type Column = RawBuilder<unknown>;

interface SortBy {
  /** Value of the call `c` that it stands at; null: it comes after all that have one, whichever the direction. */
  readonly value: Column;
  /** That value as a place has it, and back. */
  readonly shown: (value: Column) => Column;
  readonly read: (text: string) => Column;
  /** Of those that are sorted by how they ended: the value that all calls of an end have; empty: none. */
  readonly ofEnd?: (facts: EndFacts) => string;
  /** Of those that are sorted by a column with an index: which calls are in it by their end and, if they are open, besides. */
  readonly indexed?: { readonly hasValue: (facts: EndFacts) => boolean; readonly openHas: boolean };
}

const asText = (value: Column): Column => sql`${value}::text`;
const asInteger = (text: string): Column => sql`${text}::integer`;
const asItIs = (text: string): Column => sql`${text}::text collate "C"`;
const instants = { shown: microsecondsOf, read: (text: string): Column => instantOf(text) };

/** How records are put in each order. Which index gives it: db/migrations/0076-indexes-of-records.sql. */
const sorts: Readonly<Record<Exclude<RecordSort, 'position'>, SortBy>> = {
  status: {
    ...{ value: sql`c.ended_as collate "C"`, shown: asText, read: asItIs },
    ofEnd: ({ status }) => status,
  },
  reason: {
    ...{ value: sql`case when c.settled then nullif(c.reason, '') end collate "C"`, shown: asText, read: asItIs },
    ofEnd: ({ reason }) => reason,
  },
  attempts: {
    ...{ value: sql`case when c.settled then c.attempts_made end`, shown: asText, read: asInteger },
    ofEnd: ({ attempts }) => attempts,
  },
  sipStatusCode: {
    ...{ value: sql`case when c.settled then c.sip_status_code end`, shown: asText, read: asInteger },
    ofEnd: ({ sipStatusCode }) => sipStatusCode,
  },
  answeredBy: {
    value: sql`case when c.status = 'answered' then coalesce(c.answered_by, 'unknown') end collate "C"`,
    ...{ shown: asText, read: asItIs },
    ofEnd: ({ answeredBy }) => answeredBy,
  },
  phoneNumber: {
    ...{ value: sql`c.to_number`, shown: asText, read: (text) => sql`${text}::text` },
    indexed: { hasValue: () => true, openHas: true },
  },
  callDuration: {
    ...{ value: sql`c.ended_talk_seconds`, shown: asText, read: (text) => sql`${text}::float8` },
    indexed: { hasValue: ({ talked }) => talked, openHas: false },
  },
  endedAt: { value: sql`c.ended_time`, ...instants, indexed: { hasValue: () => true, openHas: false } },
};

/** null: by place in the batch alone. */
export const sortOf = ({ by }: RecordOrder): SortBy | null => (by === 'position' ? null : sorts[by]);

export const direction = ({ descending }: RecordOrder): Column => (descending ? sql`desc` : sql`asc`);

/** That `column` comes after `value` in the order. */
export const following = ({ descending }: RecordOrder, column: Column, value: Column): Column =>
  descending ? sql`${column} < ${value}` : sql`${column} > ${value}`;

/** Different values in their order, texts by their characters as PostgreSQL's "C" has them. */
export function inOrder({ by, descending }: RecordOrder, values: readonly string[]): string[] {
  const isNumber = by === 'attempts' || by === 'sipStatusCode';
  const compared = (a: string, b: string): number => (isNumber ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0);
  return [...new Set(values)].sort((a, b) => (descending ? compared(b, a) : compared(a, b)));
}
