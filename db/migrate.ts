import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { requireMigrationRights, requireUsableDatabase } from './requirements.js';
import { grantServiceRole, serviceRoleOf } from './service-role.js';

const migrationsFolder = new URL('./migrations/', import.meta.url);
const functionsFolder = new URL('./functions/', import.meta.url);

/** One at a time over all processes that start together; the number is arbitrary. */
const migrationLock = 728_410_061;

/** While another process migrates, how often this one asks whether it is done. */
const askAgainMs = 200;

/** First line of a migration whose statements run one by one, each in its own transaction: they build indexes concurrently. */
const oneByOne = '-- Outside a transaction.';

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

/** Files that are not applied yet: new migrations, and functions whose text changed. */
async function pendingSteps(client: Pool | PoolClient): Promise<Step[]> {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from schema_migrations');
  const applied = new Map(rows.map((row) => [row.name, row.hash]));
  const migrations = (await stepsIn(migrationsFolder)).filter((step) => !applied.has(step.name));
  const functions = (await stepsIn(functionsFolder)).filter((step) => applied.get(step.name) !== step.hash);
  return [...migrations, ...functions];
}

/**
 * Brings the schema up to date: migrations once, in the order of their names; functions whenever their text changed. Safe to
 * run from several processes at once, and on a database that is being used.
 *
 * Steps run in one transaction, except those that build indexes of large tables without blocking writes, which
 * PostgreSQL does only outside of one: what comes before such a step is committed first. A step that fails, or is cut off,
 * is not marked as applied and runs again the next time.
 *
 * @param serviceUrl URL that the processes of the service connect with, if with another role than this one: it is made, and
 *   given what they need
 * @returns names of what was applied
 */
export async function migrate(pool: Pool, serviceUrl?: string): Promise<string[]> {
  const client = await pool.connect();
  try {
    await requireUsableDatabase(client);
    await requireMigrationRights(client);
    await takeMigrationLock(client);
    try {
      await client.query(`create table if not exists schema_migrations (
        name text primary key, hash text not null, applied_at timestamptz not null default now())`);
      const steps = await pendingSteps(client);
      for (const part of partsOf(steps)) {
        if (isOneByOne(part[0])) await applyOneByOne(client, part);
        else await lettingOthersThrough(() => applyTogether(client, part));
      }
      if (serviceUrl !== undefined) await grantServiceRole(client, serviceRoleOf(serviceUrl));
      return steps.map((step) => step.name);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]);
    }
  } finally {
    client.release();
  }
}

/**
 * A lock of the session, asked for again and again instead of waited for: a statement that waits has a snapshot, and building
 * an index concurrently waits for all snapshots.
 */
async function takeMigrationLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      migrationLock,
    ]);
    if (rows[0]?.taken === true) return;
    await delay(askAgainMs);
  }
}

const isOneByOne = (step: Step | undefined): boolean => step?.sql.startsWith(oneByOne) === true;

/** The steps in their order: each that runs outside a transaction by itself, the others together. */
function partsOf(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (last === undefined || isOneByOne(step) || isOneByOne(last[0])) parts.push([step]);
    else last.push(step);
  }
  return parts;
}

async function markApplied(client: PoolClient, step: Step): Promise<void> {
  await client.query(
    `insert into schema_migrations (name, hash) values ($1, $2)
     on conflict (name) do update set hash = excluded.hash, applied_at = now()`,
    [step.name, step.hash],
  );
}

/** How long a step waits for a lock, and after what time it asks again. */
const lockWaitMs = 500;
const lockAgainMs = 5_000;

const isLockWaitOver = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';

/**
 * Does work that may need the strictest lock of a table. It waits for the transactions that have used the table, such as the copy of a
 * large batch, and every later statement waits behind it. So it waits for a moment only, lets the others through, and asks again.
 */
async function lettingOthersThrough(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockWaitOver(error)) throw error;
      await delay(lockAgainMs);
    }
  }
}

async function applyTogether(client: PoolClient, steps: readonly Step[]): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockWaitMs}`);
    for (const step of steps) {
      await client.query(step.sql);
      await markApplied(client, step);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Statements that change a table for everybody at once. What fills rows or builds an index waits for others as long as it takes. */
const changesTable = /^(?:alter table|create (?:or replace )?trigger|drop trigger)\b/i;

async function applyAlone(client: PoolClient, statement: string): Promise<void> {
  if (!changesTable.test(statement)) {
    await client.query(statement);
    return;
  }
  await client.query(`set lock_timeout = ${lockWaitMs}`);
  try {
    await lettingOthersThrough(async () => void (await client.query(statement)));
  } finally {
    await client.query('reset lock_timeout');
  }
}

/** Each statement by itself. What an earlier try left half built is dropped first: "if not exists" would keep it. */
async function applyOneByOne(client: PoolClient, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const statements = step.sql
      .replaceAll(/^--.*$/gm, '')
      .split(/;\s*$/m)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '');
    for (const statement of statements) {
      const name = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement)?.[1];
      if (name !== undefined) await dropIfHalfBuilt(client, name);
      await applyAlone(client, statement);
    }
    await markApplied(client, step);
  }
}

async function dropIfHalfBuilt(client: PoolClient, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently ${client.escapeIdentifier(index)}`);
}

/** Whether this version of the code can run on the database as it is; `/readyz` asks. */
export async function schemaIsCurrent(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  return rows[0]?.exists === true && (await pendingSteps(pool)).length === 0;
}
