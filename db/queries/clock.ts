import { sql } from 'kysely';
import type { Db } from '../client.js';

/** What time it is for every process alike: rules about hours and days are not judged by the clock of one machine. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database does not tell the time');
  return row.now;
}
