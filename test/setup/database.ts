import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { part } from './part.js';
import { serviceUrlOf, templateDatabase } from './parts.js';

export interface TestDatabase {
  /** Connection URL of an empty, migrated database that no other file uses. */
  readonly url: string;
  /** The same, with the rights that processes of the service have. */
  readonly serviceUrl: string;
  /** Drops the database, and the connections to it. */
  close(): Promise<void>;
}

/** A database of the caller's own on the suites' shared PostgreSQL, cloned from a migrated template (some 30 ms). */
export async function testDatabase(): Promise<TestDatabase> {
  const server = await part('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const asAdmin = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await asAdmin(`create database ${name} template ${templateDatabase} strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    serviceUrl: serviceUrlOf(url.href),
    close: () => asAdmin(`drop database if exists ${name} with (force)`),
  };
}

/**
 * Remembers what a database holds that has just been cloned. The function that it resolves to removes every row that has
 * come since and numbers new ones from 1, as one transaction and without triggers, some 10 ms: for what shares a database,
 * one after the other.
 * @throws the function does, if a table that had rows from the start has been changed
 */
export async function emptier(pool: pg.Pool): Promise<() => Promise<void>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const filled: { name: string; digest: string }[] = [];
  const digestOf = async (name: string) => {
    const { rows } = await pool.query<{ digest: string | null }>(
      `select md5(string_agg(row::text, '' order by row::text)) as digest from ${name} row`,
    );
    return rows[0]?.digest ?? null;
  };
  const emptied: string[] = [];
  for (const { name } of tables) {
    const digest = await digestOf(name);
    if (digest === null) emptied.push(name);
    else filled.push({ name, digest });
  }
  const { rows: counts } = await pool.query<{ name: string }>(
    `select s.oid::regclass::text as name from pg_class s
      where s.relkind = 'S' and exists (select from pg_depend d where d.objid = s.oid and d.deptype in ('a', 'i'))`,
  );
  const statements = [
    ...emptied.map((name) => `delete from ${name};`),
    ...counts.map(({ name }) => `select setval('${name}', 1, false);`),
  ].join(' ');
  return async () => {
    await pool.query(`begin; set local session_replication_role = replica; ${statements} commit;`);
    for (const { name, digest } of filled) {
      if ((await digestOf(name)) !== digest) throw new Error(`A test has changed ${name}, which others share.`);
    }
  };
}
