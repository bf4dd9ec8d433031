import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** Tells this database from every other, also from one that was restored from a dump of it. A copy of its server's disk has the same. */
export async function databaseIdentity(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select s.system_identifier || '-' || d.oid as id
    from pg_control_system() s, pg_database d where d.datname = current_database()`.execute(db);
  return rows[0]?.id ?? '';
}
