import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Pool, PoolClient } from 'pg';

const migrationsFolder = new URL('./migrations/', import.meta.url);
const functionsFolder = new URL('./functions/', import.meta.url);

/** One at a time over all processes that start together; the number is arbitrary. */
const migrationLock = 728_410_061;

interface Step {
  /** File name: its place in the order and its identity. */
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

async function stepsIn(folder: URL): Promise<Step[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** What the files ask for and the database does not have yet: new migrations, and functions whose text changed. */
async function pendingSteps(client: Pool | PoolClient): Promise<Step[]> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations');
  const applied = new Map(rows.map((row) => [row.name, row.hash]));
  const migrations = (await stepsIn(migrationsFolder)).filter((step) => !applied.has(step.name));
  const functions = (await stepsIn(functionsFolder)).filter((step) => applied.get(step.name) !== step.hash);
  return [...migrations, ...functions];
}

/**
 * Brings the schema up to date: migrations once, in the order of their names; functions whenever their text changed.
 * All in one transaction, safe to run from several processes at once.
 *
 * @returns names of what was applied
 */
export async function migrate(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query(`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`);
    const steps = await pendingSteps(client);
    for (const step of steps) {
      await client.query(step.sql);
      await client.query(
        `insert into schema_migrations (name, hash) values ($1, $2)
         on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
        [step.name, step.hash],
      );
    }
    await client.query('commit');
    return steps.map((step) => step.name);
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Whether this version of the code can run on the database as it is; `/readyz` asks. */
export async function schemaIsCurrent(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  return rows[0]?.exists === true && (await pendingSteps(pool)).length === 0;
}
