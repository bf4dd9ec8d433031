import { sql } from 'kysely';
import type { RecordOrder } from '../../../domain/batch/record-order.js';
import type { Db } from '../../client.js';
import { exactly, mostCounted, type Total, totalBeside, upTo } from '../counted.js';
import type { Rows } from '../rows.js';
import {
  allRecords,
  matchingRecords,
  type MatchingRecords,
  ofBatch,
  type RecordFilter,
  searched,
} from './record-filter.js';
import type { RecordPlace } from './record-order.js';
import { matchingPositions, sortedPlaces, walkedPlaces } from './record-pages.js';

/** Most records that one page by a cursor looks at for a text (docs/adr/0062-searches-of-records-go-on.md). */
export const mostSearched = 10_000;
/** A text that many records have fills the page from the first piece; of one that is seldom there, all pieces are looked at. */
const pieces = [1_000, 9_000];

/** Part of a list of records that have a text. */
export interface SearchedPlaces {
  readonly places: readonly RecordPlace[];
  readonly total: Total;
  /** Where the list goes on; null: nothing follows. */
  readonly next: RecordPlace | null;
  /** How many records this page has looked at, if others are left to look at; else null. */
  readonly searched: number | null;
}

const placesOf = (tx: Db, matching: MatchingRecords, order: RecordOrder, rows: Rows<RecordPlace>) =>
  (matching.besidesFew ? sortedPlaces : walkedPlaces)(tx, matching, order, rows);

/** Those of the places whose record has the text. */
async function withText(tx: Db, filter: RecordFilter, places: readonly RecordPlace[]): Promise<readonly RecordPlace[]> {
  const { rows } = await sql<{ position: number }>`
    select c.position from calls c
    where ${ofBatch(filter)} and c.position = any (${places.map(({ position }) => position)}::integer[])
      and ${searched(filter.search)}`.execute(tx);
  const having = new Set(rows.map(({ position }) => position));
  return places.filter(({ position }) => having.has(position));
}

/** A page by a cursor: it looks at no more than `mostSearched` records, and the next page goes on behind them. */
export async function searchOn(
  tx: Db,
  filter: RecordFilter,
  order: RecordOrder,
  { after, offset, limit }: Rows<RecordPlace>,
): Promise<SearchedPlaces> {
  const all = await matchingRecords(tx, { ...filter, search: '' });
  const found: RecordPlace[] = [];
  let last = after;
  let looked = 0;
  let isThrough = false;
  for (const piece of pieces) {
    const places = await placesOf(tx, all, order, { after: last, offset: 0, limit: piece + 1 });
    const here = places.slice(0, piece);
    isThrough = places.length <= piece;
    looked += here.length;
    last = here.at(-1) ?? last;
    found.push(...(await withText(tx, filter, here)));
    if (isThrough || found.length > limit) break;
  }
  const places = found.slice(0, limit);
  const isMoreFound = found.length > limit;
  const total = { rows: offset + found.length, isEstimate: !isThrough };
  const next = isMoreFound ? places.at(-1) : isThrough ? undefined : last;
  return { places, total, next: next ?? null, searched: isThrough || isMoreFound ? null : looked };
}

/** A page by its number, and how many records have the text: all are looked at, once, if no more than `mostCounted` have it. */
export async function searchAll(
  tx: Db,
  filter: RecordFilter,
  order: RecordOrder,
  { offset, limit }: Rows<RecordPlace>,
): Promise<SearchedPlaces> {
  const matching = await matchingRecords(tx, filter);
  // In no order: with one the planner, which takes any text for a rare one, would look at all records before it shows the first.
  const positions = await matchingPositions(tx, matching, mostCounted + 1);
  const isAll = positions.length <= mostCounted;
  const asked = { offset, limit: limit + 1 };
  const found = isAll
    ? await sortedAt(tx, filter, positions, order, asked)
    : await placesOf(tx, matching, order, asked);
  const places = found.slice(0, limit);
  const more = found.length > limit;
  const seen = { offset, rows: places.length, more };
  const total = isAll ? exactly(positions.length) : totalBeside(upTo(positions.length), seen);
  return { places, total, next: more ? (places.at(-1) ?? null) : null, searched: null };
}

/** These places of the batch in an order. */
async function sortedAt(
  tx: Db,
  filter: RecordFilter,
  positions: readonly number[],
  order: RecordOrder,
  rows: Rows<RecordPlace>,
): Promise<readonly RecordPlace[]> {
  const all = await matchingRecords(tx, allRecords(filter.accountId, filter.batchId));
  const besides = [sql`c.position = any (${[...positions]}::integer[])`];
  return positions.length === 0 ? [] : sortedPlaces(tx, { ...all, besides, besidesFew: true }, order, rows);
}
