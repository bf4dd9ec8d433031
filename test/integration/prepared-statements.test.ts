import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../db/client.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let own: TestDatabase;
let database: Database;
beforeEach(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 1, name: 'test' });
  await sql`create table things (id integer primary key, size integer not null)`.execute(database.db);
  await sql`insert into things values (1, 10)`.execute(database.db);
});
afterEach(async () => {
  await database.close();
  await own.close();
});

async function sizeOf(id: number): Promise<unknown> {
  const { rows } = await sql<{ size: unknown }>`
    -- prepared
    select size from things where id = ${id}`.execute(database.db);
  return rows[0]?.size;
}

async function prepared(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_prepared_statements where statement like '%from things%'`.execute(
    database.db,
  );
  return rows[0]?.count ?? 0;
}

test('a statement that is marked is prepared once on its connection; others are not', async () => {
  await sql`select size from things where id = ${1}`.execute(database.db);
  expect(await prepared()).toBe(0);
  expect([await sizeOf(1), await sizeOf(2), await sizeOf(1)]).toEqual([10, undefined, 10]);
  expect(await prepared()).toBe(1);
});

test('a migration that adds a column or an index is not noticed', async () => {
  await sizeOf(1);
  await sql`alter table things add column name text`.execute(database.db);
  await sql`create index things_by_size on things (size)`.execute(database.db);
  expect(await sizeOf(1)).toBe(10);
});

test('a migration that changes the type of a column fails the statement once, and it is prepared again', async () => {
  await sizeOf(1);
  await sql`alter table things alter column size type text`.execute(database.db);
  await expect(sizeOf(1)).rejects.toThrow('cached plan must not change result type');
  expect([await sizeOf(1), await sizeOf(1)]).toEqual(['10', '10']);
});
