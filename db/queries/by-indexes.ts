import { sql } from 'kysely';
import type { Db } from '../client.js';
import { ofOneInstant } from './one-instant.js';

/**
 * Reads by prepared statements, all of one instant. They read every table by an index that serves, and each is planned once for all that
 * it may be asked: its plan may be made while a table is nearly empty, and used when that holds a million rows
 * (docs/adr/0018-statements-are-planned-once.md).
 */
export const byIndexes = <Result>(db: Db, run: (tx: Db) => Promise<Result>): Promise<Result> =>
  ofOneInstant(db, async (tx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(
      tx,
    );
    return run(tx);
  });
