import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** A process that is frozen for good in the middle of a COPY; its rows are in memory before the COPY begins. */
const silentForSeconds = 90;

/**
 * Ends the sessions of the service whose COPY has waited for its process for so long: the process is frozen or cut off, and what
 * the session has locked would stay locked until it is back. PostgreSQL rolls the transaction back, and what it was about is
 * done again. No timeout of PostgreSQL does this: `idle_in_transaction_session_timeout` is about sessions that wait for a
 * statement, and `statement_timeout` takes effect only when the next bytes of the COPY arrive.
 *
 * @param olderThanSeconds how long ago the COPY began
 * @returns the process ids of the ended sessions, in PostgreSQL
 */
export async function endSilentCopies(db: Db, olderThanSeconds = silentForSeconds): Promise<readonly number[]> {
  // Materialized, so that no session is ended before all conditions have been tested.
  const { rows } = await sql<{ pid: number }>`
    with silent as materialized (
      select pid from pg_stat_activity
      where datname = current_database() and usename = current_user and application_name like 'outdial-%'
        and state = 'active' and wait_event = 'ClientRead' and query like 'copy %'
        and query_start < clock_timestamp() - make_interval(secs => ${olderThanSeconds})
    )
    select pid from silent where pg_terminate_backend(pid)`.execute(db);
  return rows.map(({ pid }) => pid);
}
