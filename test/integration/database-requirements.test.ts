import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timeZoneFinding } from '../../cli/doctor/installation.js';
import { openDatabase, type Database } from '../../db/client.js';
import { migrate } from '../../db/migrate.js';
import { unknownTimeZones } from '../../db/queries/upkeep/unknown-time-zones.js';
import { databaseProblems, requireUsableDatabase } from '../../db/requirements.js';
import { anotherApp, api, here, useApi } from '../api/support.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { aTenant } from '../workflow/fixtures.js';

useApi();
let testing: TestDatabase;
let database: Database;
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 2, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

/** The real database, with something about it told otherwise. */
const telling = (change: object) => ({
  query: async (text: string) => ({
    rows: (await database.pool.query<object>(text)).rows.map((row) => ({ ...row, ...change })),
  }),
});

test('F1: the database of the tests is one that the service runs on', async () => {
  expect(await databaseProblems(database.pool)).toEqual([]);
});

test('time zones that PostgreSQL does not know are named once it is to count by them', async () => {
  expect(await unknownTimeZones(database.db)).toEqual([]);
  const { accountId } = await aTenant(database.db);
  for (const timezone of ['Asia/Kolkata', 'Mars/Phobos']) {
    await sql`
      insert into account_defaults (account_id, timezone) values (${accountId}, ${timezone})
      on conflict (account_id) do update set timezone = excluded.timezone`.execute(database.db);
    expect(await unknownTimeZones(database.db)).toEqual(timezone === 'Mars/Phobos' ? ['Mars/Phobos'] : []);
  }
  expect(timeZoneFinding(['Mars/Phobos'], [])).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('Mars/Phobos'),
  });
});

test.each([
  [
    { number: 150_018, name: '15.18 (Debian 15.18-0+deb12u1)', missing: ['uuidv7()'] },
    /^PostgreSQL 15\.18 .*is too old/,
  ],
  [{ number: 170_005, name: '17.5', missing: [] }, /^PostgreSQL 17\.5 is too old: .* needs PostgreSQL 18 or newer\.$/],
  [{ number: 180_001, name: '18.1', missing: ['uuidv7()'] }, /^The database has no function uuidv7\(\)/],
  [{ extended: false }, /^The server has no extension pg_trgm/],
  [{ replica: true, readOnly: true }, /^The database is a replica and takes no changes: .* name the primary\.$/],
  [{ seconds: Date.now() / 1000 + 7_200 }, /^The clocks .* 7\d\d\d seconds apart.*database's is ahead/],
  [{ seconds: Date.now() / 1000 - 7_200 }, /^The clocks .* 7\d\d\d seconds apart.*database's is behind/],
])('F1: a database that says %j is refused in words', async (change, words) => {
  expect(await databaseProblems(telling(change))).toEqual([expect.stringMatching(words)]);
  await expect(requireUsableDatabase(telling(change))).rejects.toThrow(words);
});

test('F1: a database that refuses every change is refused in words', async () => {
  const name = new URL(testing.url).pathname.slice(1);
  await database.pool.query(`alter database ${name} set default_transaction_read_only = on`);
  const reader = openDatabase({ url: testing.url, poolSize: 1, name: 'test' });
  try {
    expect(await databaseProblems(reader.pool)).toEqual([
      'The database takes no changes: default_transaction_read_only is on, for the server, database or role.',
    ]);
  } finally {
    await reader.close();
    await database.pool.query(
      `set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`,
    );
  }
});

test('F1: half a minute between the clocks is borne, and however long the answer takes', async () => {
  expect(await databaseProblems(telling({ seconds: Date.now() / 1000 + 30 }))).toEqual([]);
  const clock = [0, 10 * 60_000];
  expect(await databaseProblems(telling({ seconds: 300 }), () => clock.shift() ?? 0)).toEqual([]);
});

test('F1: migrate leaves a database that is too old as it is', async () => {
  const asked: string[] = [];
  const old = {
    query: async (text: string) => {
      asked.push(text);
      return { rows: [{ number: 150_018, name: '15.18', missing: [], extended: true, seconds: Date.now() / 1000 }] };
    },
    release: () => undefined,
  };
  class OldPool extends pg.Pool {
    override connect(): Promise<never> {
      return Promise.resolve(old as never);
    }
  }
  await expect(migrate(new OldPool())).rejects.toThrow('PostgreSQL 15.18 is too old');
  expect(asked.filter((text) => /create|alter|insert/i.test(text))).toEqual([]);
});

test('F1: readyz says in words why the database cannot be used', async () => {
  const pool = new pg.Pool({ connectionString: testing.url, max: 2 });
  const query = pool.query.bind(pool) as (text: string) => Promise<{ rows: object[] }>;
  Object.assign(pool, {
    query: async (text: string) => {
      const { rows } = await query(text);
      return { rows: text.includes('server_version') ? [{ ...rows[0], number: 150_018, name: '15.18' }] : rows };
    },
  });
  const app = await anotherApp({ database: { ...here().database, pool } });
  const answer = await api.get('/readyz', { app });
  await pool.end();
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({
    checks: { postgres: false },
    problems: [expect.stringContaining('PostgreSQL 15.18 is too old')],
  });
  expect((await api.get('/readyz')).body).not.toHaveProperty('problems');
});
