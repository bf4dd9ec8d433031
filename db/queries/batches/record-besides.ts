import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../client.js';
import { talkedFor } from './talk-range.js';
import { mostCounted } from '../counted.js';
import type { RecordFilter } from './record-filter.js';

/*
 * What filters of records ask for that is no end of a call: what analyses found, talk times, variants. Each has an index of its own.
 */

type Condition = RawBuilder<unknown>;

/** Something that is asked for: the places of the records that have it, by its index, and as it is asked of the call `c`. */
interface Asked {
  readonly places: RawBuilder<unknown>;
  readonly has: Condition;
}

type Found = RecordFilter['analysis'][number];
type Owner = Pick<RecordFilter, 'accountId' | 'batchId'>;

const isOwn = ({ accountId, batchId }: Owner): Condition =>
  sql`(select true from batches b where b.id = ${batchId} and b.account_id = ${accountId})`;

const found = ({ batchId }: Owner, { field, value }: Found): Condition =>
  sql`r.batch_id = ${batchId} and r.field = ${field} and r.value = ${value}`;

/** Places of the records of which an analysis found this. */
export const placesOfFound = (owner: Owner, asked: Found): RawBuilder<unknown> => sql`
  select r.position from record_analyses r where ${found(owner, asked)} and ${isOwn(owner)}`;

function allAsked(filter: RecordFilter): Asked[] {
  const { batchId, talk, variants = [], analysis } = filter;
  const asked = analysis.map((each): Asked => ({
    places: placesOfFound(filter, each),
    has: sql`exists (select 1 from record_analyses r where ${found(filter, each)} and r.position = c.position)`,
  }));
  if (variants.length > 0) {
    const has = sql`c.variant = any (${[...variants]}::text[])`;
    const places = sql`select c.position from calls c where c.batch_id = ${batchId} and ${has} and ${isOwn(filter)}`;
    asked.push({ places, has });
  }
  if (talk !== undefined) {
    const places = sql`
      select c.position from calls c where c.batch_id = ${batchId} and ${talkedFor(talk)} and ${isOwn(filter)}`;
    asked.push({ places, has: talkedFor(talk) });
  }
  return asked;
}

/** Which records have all of it: by their places if something is seldom, and asked of each record. */
export async function askedBesides(
  tx: Db,
  filter: RecordFilter,
): Promise<{ readonly conditions: Condition[]; readonly few: boolean }> {
  const asked = allAsked(filter);
  const conditions = asked.map(({ has }) => has);
  for (const { places } of asked) {
    const { rows } = await sql<{ position: number }>`${places} limit ${mostCounted + 1}`.execute(tx);
    if (rows.length > mostCounted) continue;
    const there = sql`c.position = any (${rows.map(({ position }) => position)}::integer[])`;
    return { conditions: [there, ...conditions], few: true };
  }
  return { conditions, few: false };
}
