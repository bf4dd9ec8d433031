import { sql } from 'kysely';
import type { Db } from '../client.js';

/**
 * Has the next statements of a transaction, which are prepared, read every table by an index that serves, and plans each of them once
 * for all that it may be asked: their plans may be made while a table is nearly empty, and used when it holds a million rows
 * (docs/adr/0018-statements-are-planned-once.md).
 */
export const planByIndexes = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(
    tx,
  );

/** Plans the rest of the transaction as ever. */
export const planAsEver = (tx: Db): Promise<unknown> =>
  sql`select set_config('enable_seqscan', 'on', true), set_config('plan_cache_mode', 'auto', true)`.execute(tx);

/** Reads by prepared statements, all of one instant. */
export const byIndexes = <Result>(db: Db, run: (tx: Db) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await planByIndexes(tx);
      return run(tx);
    });
