import { sql, type RawBuilder } from 'kysely';
import type { RecordOrder } from '../../../domain/batch/record-order.js';
import type { Db } from '../../client.js';
import { mostCounted } from '../counted.js';
import type { Rows } from '../rows.js';
import { anyEnd, ofBatch, type MatchingRecords } from './record-filter.js';
import { direction, following, inOrder, type RecordPlace, sortOf } from './record-order.js';

type Condition = RawBuilder<unknown>;

/** So many ends are read each by its own range of the index. */
const mostApart = 40;

const all = (conditions: readonly Condition[]): Condition => sql.join(conditions, sql` and `);

/** The conditions of all that match: in one, or apart as two indexes have them. */
const arms = (matching: MatchingRecords): Condition[] => {
  const { ends, open, isEveryEnd, besidesFew } = matching;
  if (isEveryEnd || besidesFew) return [anyEnd(matching)];
  return [...(ends.length === 0 ? [] : [anyEnd({ ends, open: null, isEveryEnd })]), ...(open === null ? [] : [open])];
};

/** Queries of all that match, whose rows do not overlap. */
const matchingParts = (matching: MatchingRecords, selected: RawBuilder<unknown>): RawBuilder<unknown>[] =>
  arms(matching).map(
    (arm) => sql`select ${selected} from calls c where ${all([ofBatch(matching.filter), arm, ...matching.besides])}`,
  );

/** Places of all that match, sorted as they are read: for few, or if nothing better is known. */
export async function sortedPlaces(
  tx: Db,
  matching: MatchingRecords,
  order: RecordOrder,
  { after, offset, limit }: Rows<RecordPlace>,
): Promise<RecordPlace[]> {
  const sort = sortOf(order);
  const value = sort?.value ?? sql`null::text`;
  const parts = matchingParts(matching, sql`c.position, ${value} as value`);
  if (parts.length === 0) return [];
  const way = direction(order);
  const { rows } = await sql<RecordPlace>`
    select ${sort?.shown(sql`m.value`) ?? sql`null`} as value, m.position
    from (${sql.join(parts, sql` union all `)}) m
    where ${after === undefined ? sql`true` : comesAfter(order, after)}
    order by m.value is null, m.value ${way}, m.position ${way}
    offset ${after === undefined ? offset : 0} limit ${limit}`.execute(tx);
  return rows;
}

function comesAfter(order: RecordOrder, { value, position }: RecordPlace): Condition {
  const further = following(order, sql`m.position`, sql`${position}::integer`);
  const sort = sortOf(order);
  if (sort === null) return further;
  if (value === null) return sql`(m.value is null and ${further})`;
  const there = sort.read(value);
  return sql`(${following(order, sql`m.value`, there)} or m.value = ${there} and ${further} or m.value is null)`;
}

/** A stretch of a sorted list. */
interface Run {
  /** The value that all of it have; null: none; undefined: each its own. */
  readonly value: string | null | undefined;
  page(rows: Rows<RecordPlace>): Promise<RecordPlace[]>;
  /** How many it has, up to so many. */
  count(most: number): Promise<number>;
}

/** How many match, up to so many. */
export async function countMatching(tx: Db, matching: MatchingRecords, most: number): Promise<number> {
  const sources = matching.onlyFound === null ? matchingParts(matching, sql`1`) : [matching.onlyFound];
  const parts = sources.map((part) => sql`(${part} limit ${most})`);
  if (parts.length === 0) return 0;
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select 1 from (${sql.join(parts, sql` union all `)}) parts limit ${most}) counted`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** Places of up to so many that match, in no order. */
export async function matchingPositions(tx: Db, matching: MatchingRecords, most: number): Promise<readonly number[]> {
  const parts = matchingParts(matching, sql`c.position`);
  if (parts.length === 0) return [];
  const { rows } = await sql<{ position: number }>`
    select position from (${sql.join(parts, sql` union all `)}) m limit ${most}`.execute(tx);
  return rows.map(({ position }) => position);
}

/**
 * In the order of the file: each way to end is a range of one index, open calls are in their own, and what one analysis found is in
 * its order, too. They are merged as they are read.
 */
function byPosition(tx: Db, matching: MatchingRecords, order: RecordOrder, value: string | null): Run {
  const { ends, open, isEveryEnd, besides, filter, onlyFound } = matching;
  const way = direction(order);
  const conditions =
    isEveryEnd || ends.length > mostApart
      ? [anyEnd({ ends, open: null, isEveryEnd })]
      : ends.map(({ key }): Condition => sql`c.ended_facts = ${key}`);
  if (!isEveryEnd && open !== null) conditions.push(open);
  const sources =
    onlyFound !== null
      ? [onlyFound]
      : conditions.map(
          (condition) => sql`select c.position from calls c where ${all([ofBatch(filter), condition, ...besides])}`,
        );
  return {
    value,
    count: (most) => countMatching(tx, matching, most),
    page: async ({ after, offset, limit }) => {
      if (sources.length === 0) return [];
      const from =
        after === undefined ? sql`` : sql`and ${following(order, sql`position`, sql`${after.position}::integer`)}`;
      const skipped = after === undefined ? offset : 0;
      const parts = sources.map((source) => sql`(${source} ${from} order by position ${way} limit ${skipped + limit})`);
      const { rows } = await sql<{ position: number }>`
        select m.position from (${sql.join(parts, sql` union all `)}) m
        order by m.position ${way} offset ${skipped} limit ${limit}`.execute(tx);
      return rows.map(({ position }) => ({ value, position }));
    },
  };
}

/** By a column that has an index with the place in the batch; those with a value, few of them as they are found. */
function byColumn(tx: Db, matching: MatchingRecords, order: RecordOrder, openHas: boolean): Run {
  const sort = sortOf(order);
  if (sort === null) throw new Error('The order of the file has no column.');
  const { value } = sort;
  const way = direction(order);
  const conditions = [ofBatch(matching.filter), sql`${value} is not null`, anyEnd(matching), ...matching.besides];
  return {
    value: undefined,
    count: (most) => countMatching(tx, { ...matching, isEveryEnd: matching.isEveryEnd && openHas }, most),
    page: async (rows) => {
      const { after, offset, limit } = rows;
      const isFew = !matching.isEveryEnd && (await countMatching(tx, matching, mostCounted + 1)) <= mostCounted;
      if (isFew) return sortedPlaces(tx, matching, order, rows);
      const from =
        typeof after?.value === 'string'
          ? [
              following(
                order,
                sql`(${value}, c.position)`,
                sql`(${sort.read(after.value)}, ${after.position}::integer)`,
              ),
            ]
          : [];
      const { rows: found } = await sql<RecordPlace>`
        select ${sort.shown(value)} as value, c.position from calls c where ${all([...conditions, ...from])}
        order by ${value} ${way}, c.position ${way} offset ${after === undefined ? offset : 0} limit ${limit}`.execute(
        tx,
      );
      return found;
    },
  };
}

/** The stretches of which the list consists, in their order: those with a value, and at last those without. */
function runsOf(tx: Db, matching: MatchingRecords, order: RecordOrder): Run[] {
  const sort = sortOf(order);
  if (sort === null) return [byPosition(tx, matching, order, null)];
  const { ends, open } = matching;
  const { ofEnd, indexed } = sort;
  const of = (some: typeof ends, ofOpen: typeof open, value: string | null): Run =>
    byPosition(tx, { ...matching, ends: some, open: ofOpen, isEveryEnd: false, onlyFound: null }, order, value);
  if (ofEnd !== undefined) {
    const values = inOrder(order, ends.map(ofEnd)).filter((value) => value !== '');
    return [
      ...values.map((value) =>
        of(
          ends.filter((each) => ofEnd(each) === value),
          null,
          value,
        ),
      ),
      of(
        ends.filter((each) => ofEnd(each) === ''),
        open,
        null,
      ),
    ];
  }
  if (indexed === undefined) throw new Error('A sort has an index or goes by ends.');
  const { hasValue, openHas } = indexed;
  const valued = { ...matching, ends: ends.filter(hasValue), open: openHas ? open : null, onlyFound: null };
  const rest = ends.filter((each) => !hasValue(each));
  return [byColumn(tx, valued, order, openHas), of(rest, openHas ? null : open, null)];
}

/** Whether all of a run come before the place. */
function isBefore(order: RecordOrder, { value }: Run, place: RecordPlace): boolean {
  if (value === null || value === place.value) return false;
  if (place.value === null) return sortOf(order) !== null;
  return value !== undefined && inOrder(order, [value, place.value])[0] === value;
}

/** Places of a page, read from the indexes: no more is read than is skipped and shown. */
export async function walkedPlaces(
  tx: Db,
  matching: MatchingRecords,
  order: RecordOrder,
  { after, offset, limit }: Rows<RecordPlace>,
): Promise<RecordPlace[]> {
  const found: RecordPlace[] = [];
  let skipped = after === undefined ? offset : 0;
  for (const run of runsOf(tx, matching, order)) {
    if (found.length >= limit) break;
    if (after !== undefined && isBefore(order, run, after)) continue;
    const isThere =
      after !== undefined && (run.value === after.value || (run.value === undefined && after.value !== null));
    const page = await run.page({ offset: skipped, limit: limit - found.length, after: isThere ? after : undefined });
    found.push(...page);
    if (skipped > 0) skipped = page.length > 0 ? 0 : skipped - (await run.count(skipped));
  }
  return found;
}
