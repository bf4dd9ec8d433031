import { sql, type RawBuilder } from 'kysely';
import type { FigureDimension, FigureRow } from '../../../domain/batch/figures.js';
import type { Db } from '../../client.js';

/*
 * Figures are kept as sums (db/migrations/0056-figures.sql). What has not been added up yet is added here, in the same statement and
 * so of the same instant.
 */

const sumsOf = (column: string) => sql`sum(${sql.ref(column)})`;

/** Sums by key from those that are kept and the notes that are to be added to them. */
async function summed(
  db: Db,
  dimension: FigureDimension,
  kept: RawBuilder<unknown>,
  noted: RawBuilder<unknown>,
): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select nullif(key, '') as key, ${sumsOf('calls')}::float8 as calls, ${sumsOf('attempts')}::float8 as attempts,
      ${sumsOf('answered')}::float8 as answered, ${sumsOf('human')}::float8 as human, ${sumsOf('machine')}::float8 as machine,
      ${sumsOf('success')}::float8 as success, ${sumsOf('talk_ms')}::float8 / 1000 as "talkSeconds",
      ${sumsOf('cost')}::text as "costMicros", ${sumsOf('unpriced')}::float8 as unpriced
    from (
      select f.key, f.calls, f.attempts, f.answered, f.human, f.machine, f.success, f.talk_ms, f.cost, f.unpriced
      from figures f where ${kept} and f.dimension = ${dimension}
      union all
      select k.key, c.calls, c.attempts, c.answered, c.human, c.machine, c.success, c.talk_ms, c.cost, c.unpriced
      from figure_changes c
      cross join lateral figure_keys(c.hour, c.attempt, c.status, c.reason, c.sip_status_code, c.answered_by, c.phone_number, c.variant) k
      where ${noted} and k.dimension = ${dimension}
    ) f
    group by f.key
    having sum(calls) <> 0 or sum(attempts) <> 0 or sum(success) <> 0 or sum(cost) <> 0
    order by case when key ~ '^[0-9]{1,6}$' then key::integer end, key`.execute(db);
  return rows;
}

/** What the calls of a batch came to. */
export const figuresOfBatch = (
  db: Db,
  accountId: string,
  batchId: string,
  dimension: FigureDimension,
): Promise<FigureRow[]> =>
  summed(
    db,
    dimension,
    sql`f.account_id = ${accountId} and f.batch_id = ${batchId}`,
    sql`c.account_id = ${accountId} and c.batch_id = ${batchId}`,
  );

/** What a batch has cost so far: the sum that `maxCost` is compared with (db/functions/00-reached-stops.sql). */
export const costOfBatch = sql`
  (select json_build_object('costMicros', z.cost::text, 'unpriced', z.unpriced) from priced_of_batch(b.account_id, b.id) z)`;

/** Days by the clocks of the callees, `YYYY-MM-DD`, both included. */
export interface FigureDays {
  readonly from: string;
  readonly to: string;
}

/** What all outbound calls of an account came to, those of deleted batches included. */
export const figuresOfAccount = (
  db: Db,
  accountId: string,
  { from, to }: FigureDays,
  dimension: FigureDimension,
): Promise<FigureRow[]> =>
  summed(
    db,
    dimension,
    sql`f.account_id = ${accountId} and f.batch_id = '' and f.day between ${from}::date and ${to}::date`,
    sql`c.account_id = ${accountId} and c.day between ${from}::date and ${to}::date`,
  );

/**
 * The last day of which there may be figures, `YYYY-MM-DD`: today by UTC, or the day after if calls were made where it has begun. Their
 * days are those of the callees' clocks.
 */
export async function lastDayOfAccount(db: Db, accountId: string, today: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select to_char(${today}::date + (exists (
        select 1 from figures f
        where f.account_id = ${accountId} and f.batch_id = '' and f.dimension = 'day' and f.day = ${today}::date + 1)
      or exists (
        select 1 from figure_changes c where c.account_id = ${accountId} and c.day = ${today}::date + 1))::integer,
      'YYYY-MM-DD') as day`.execute(db);
  return rows[0]?.day ?? today;
}
