import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** The fields of a config that contain ids, each with the table of the ids. */
const tables = { tools: 'tools', knowledgeBaseIds: 'knowledge_bases' } as const;
export type ReferenceField = keyof typeof tables;

/** Which of these ids are the account's. */
export async function knownReferences(
  db: Db,
  accountId: string,
  field: ReferenceField,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  // The ids have not been validated yet: PostgreSQL refuses a text with NUL, and no id has one.
  const possible = ids.filter((id) => !id.includes('\0'));
  if (possible.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[field])}
    where account_id = ${accountId} and id = any (${possible}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * As `knownReferences`, and none of them can be deleted before the transaction has ended: a transaction that stores a version that
 * names them, or puts one in force, asks this. Deleting locks first and looks for versions then.
 */
export async function lockReferences(
  tx: Db,
  accountId: string,
  field: ReferenceField,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tables[field])}
    where account_id = ${accountId} and id = any (${[...ids]}::text[])
    order by id for key share`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Names in an answer: no more than a person can read. */
const mostNamed = 5;

/**
 * Agents whose latest version, or one that is deployed or about to be, names any of these.
 *
 * @returns their names, at most five
 */
export async function agentsThatUse(
  db: Db,
  accountId: string,
  field: ReferenceField,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct a.id, a.name
    from (
      select latest_version_id as version_id from agents where account_id = ${accountId}
      union
      select version_id from deployments where account_id = ${accountId} and status in ('pending', 'live')
    ) in_force
    join agent_versions v on v.id = in_force.version_id and v.account_id = ${accountId}
    join agents a on a.id = v.agent_id
    where v.config::jsonb -> ${field} ?| ${[...ids]}::text[]
    order by a.id limit ${mostNamed}`.execute(db);
  return rows.map(({ name }) => name);
}
