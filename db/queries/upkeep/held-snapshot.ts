import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** The oldest thing for which PostgreSQL keeps rows that are dead to all others. */
export interface HeldSnapshot {
  readonly seconds: number;
  /** The session's `application_name`, or its kind. */
  readonly holder: string;
}

/**
 * Since when rows that were changed cannot be cleaned up, because another session may still read the old versions: a session in a long
 * transaction (pg_dump, a standby with hot_standby_feedback, a person's psql), or a prepared transaction. Every change of the
 * queue leaves such rows at its head, and the claim walks over them.
 *
 * Of other database users' sessions only a member of pg_read_all_stats hears.
 */
export async function oldestHeldSnapshot(db: Db): Promise<HeldSnapshot | null> {
  const { rows } = await sql<HeldSnapshot>`
    select extract(epoch from clock_timestamp() - since)::float8 as seconds, holder
    from (
      select coalesce(xact_start, backend_start) as since, coalesce(nullif(application_name, ''), backend_type) as holder
      from pg_stat_activity
      where backend_xmin is not null and pid <> pg_backend_pid()
        and (datname = current_database() or backend_type = 'walsender')
      union all
      select prepared, 'prepared transaction ' || gid from pg_prepared_xacts where database = current_database()
    ) held
    order by since limit 1`.execute(db);
  return rows[0] ?? null;
}
