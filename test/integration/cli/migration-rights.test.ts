import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { withDatabase } from '../../../cli/commands/open.js';
import { installationFindings } from '../../../cli/doctor/installation.js';
import { migrate } from '../../../db/migrate.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { part } from '../../setup/part.js';

const before = { folder: process.cwd(), env: { ...process.env } };
const role = `plain_${randomBytes(6).toString('hex')}`;
const database = `${role}_database`;
let folder: string;
let server: pg.Client;
let superuser: pg.Client;
let plain: pg.Pool;

const urlOf = (base: string, user?: string): string => {
  const url = new URL(base);
  url.pathname = `/${database}`;
  if (user !== undefined) Object.assign(url, { username: user, password: 'plain' });
  return url.href;
};

beforeAll(async () => {
  const url = await part('postgres');
  server = new pg.Client({ connectionString: url });
  await server.connect();
  await server.query(`create role ${role} login password 'plain'`);
});

beforeEach(async () => {
  folder = temporaryFolder('migration-rights');
  process.chdir(folder);
  const url = await part('postgres');
  await server.query(`create database ${database}`);
  superuser = new pg.Client({ connectionString: urlOf(url) });
  await superuser.connect();
  plain = new pg.Pool({ connectionString: urlOf(url, role), max: 1 });
  Object.assign(process.env, {
    OUTDIAL_DATABASE_URL: urlOf(url, role),
    OUTDIAL_ENCRYPTION_KEYS: `local:${Buffer.alloc(32, 1).toString('base64')}`,
    ...{ TEMPORAL_ADDRESS: '127.0.0.1:9', OUTDIAL_PROVIDER: 'simulator', XDG_STATE_HOME: join(folder, 'state') },
  });
});

afterEach(async () => {
  process.chdir(before.folder);
  process.env = { ...before.env };
  await plain.end();
  await superuser.end();
  await server.query(`drop database ${database} with (force)`);
  rmSync(folder, { recursive: true, force: true });
});

afterAll(async () => {
  await server.query(`drop role ${role}`);
  await server.end();
});

/** The statement that a message gives between backticks after these words. */
const statementIn = (words: string, first: string): string =>
  new RegExp(`\`(${first}[^\`]*)\``).exec(words)?.[1] ?? `no statement that begins with ${first} in: ${words}`;

const refusal = (): Promise<string> =>
  migrate(plain).then(
    () => 'migrated',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const tables = async (): Promise<number | null> =>
  (await superuser.query("select 1 from pg_tables where schemaname = 'public'")).rowCount;

test('migrate names each right that its role lacks and the statement that gives it, and has changed nothing', async () => {
  const words = await refusal();
  expect(words).toContain(`The role ${role} may not make tables in the schema public.`);
  expect(words).toContain(
    `The database ${database} lacks the extension pg_trgm, and the role ${role} may not create it.`,
  );
  await superuser.query(statementIn(words, 'grant create on schema'));
  const left = await refusal();
  expect(left).not.toContain('may not make tables');
  expect(left).toContain('pg_trgm');
  expect(await tables()).toBe(0);
  await superuser.query(statementIn(left, 'grant create on database'));
  expect(await refusal()).toBe('migrated');
});

test('an extension that a superuser has created needs no right', async () => {
  const words = await refusal();
  await superuser.query(statementIn(words, 'grant create on schema'));
  await superuser.query(statementIn(words, 'create extension'));
  expect(await refusal()).toBe('migrated');
});

test('`outdial doctor` says that migrating alone will not do while the extension is missing', async () => {
  const found = async () => (await installationFindings(undefined)).find(({ check }) => check === 'migrations');
  expect(await found()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining(`lacks the extension pg_trgm, and the role ${role} may not create it`),
    remedy: expect.stringMatching(/`create extension pg_trgm`.*`outdial migrate`/),
  });
  await superuser.query('create extension pg_trgm');
  expect(await found()).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/^Run `outdial migrate`/) });
});

test('`outdial migrate` by a role that does not own the tables asks for their owner, not for the URL that it has', async () => {
  await superuser.query(`create extension pg_trgm; grant create on schema public to ${role};
    create table schema_migrations (name text primary key, hash text not null)`);
  const migrating = withDatabase({}, ({ database: { pool } }) => migrate(pool), { allowOldSchema: true });
  await expect(migrating).rejects.toThrow(
    /refuses to change the schema: permission denied for table schema_migrations\. .* the owner of the tables/,
  );
});
