import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { byIndexes } from '../by-indexes.js';
import {
  type BatchDetailRow,
  type BatchRowWithoutRoom,
  detailColumns,
  detailJoins,
  withRoom,
} from '../batches/batches.js';

const mostAtOnce = 100;
/** A workflow is told at most once in this time, … */
const leastSeconds = 60;
/** … and over the life of a batch about so many times, because its history keeps each: seldom, once the batch runs for days. */
const tellingsPerLife = 500;

/** A running batch whose workflow may be told again, and what it was told last. */
export interface ToldBatch extends BatchDetailRow {
  readonly accountId: string;
  /** null: nothing yet. */
  readonly told: string | null;
  /** Before so long; null: never. */
  readonly toldSecondsAgo: number | null;
}

/** Running batches, the oldest first: a page of those after this one. */
export const batchesToTell = (db: Db, afterId: string | null): Promise<ToldBatch[]> =>
  byIndexes(db, async (tx) => {
    const { rows } = await sql<BatchRowWithoutRoom & Omit<ToldBatch, keyof BatchDetailRow>>`
      -- prepared
      select ${detailColumns}, b.account_id as "accountId", t.reasons as told,
        extract(epoch from clock_timestamp() - t.told_at)::double precision as "toldSecondsAgo"
      from (
        select b.* from batches b left join told_waits t on t.batch_id = b.id
        where b.status = 'running' and b.status not in ('parse_failed', 'cancelled', 'completed')
          and (${afterId}::text is null or b.id > ${afterId})
          and (t.told_at is null or t.told_at < clock_timestamp() - greatest(
            make_interval(secs => ${leastSeconds}), (clock_timestamp() - b.started_at) / ${tellingsPerLife}))
        order by b.id limit ${mostAtOnce}
      ) b ${detailJoins} left join told_waits t on t.batch_id = b.id
      order by b.id`.execute(tx);
    return withRoom(tx, null, rows);
  });

/** The workflow has been told. */
export async function noteTold(db: Db, batchId: string, reasons: string): Promise<void> {
  await sql`
    insert into told_waits (batch_id, reasons, told_at)
    select id, ${reasons}, clock_timestamp() from batches where id = ${batchId}
    on conflict (batch_id) do update set reasons = excluded.reasons, told_at = excluded.told_at`.execute(db);
}
