import type { Pool } from 'pg';

/** How many statements wait for a lock in the database of the file that runs. */
export async function lockWaits(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rowCount } = await pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rowCount ?? 0;
}
