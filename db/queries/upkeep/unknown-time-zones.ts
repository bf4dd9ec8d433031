import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Older names that many systems and browsers still give. */
const olderNames = ['Asia/Calcutta', 'US/Eastern'];

/**
 * Names of time zones that this PostgreSQL does not know: of those that accounts, campaigns and numbers with limits have, and of two older
 * ones that may be given at any time. It counts the days of numbers and the hours of figures by them; all else reckons without it.
 */
export async function unknownTimeZones(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select timezone from account_defaults where timezone is not null
      union select timezone from campaigns
      union select timezone from counted_numbers
      union select unnest(${olderNames}::text[])
    ) used (name)
    where not exists (select from pg_timezone_names z where z.name = used.name)
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}
