import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import pg from 'pg';
import XLSX from 'xlsx';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseBatch } from '../../activities/parse-batch.js';
import { type Database, openDatabase } from '../../db/client.js';
import { beginParsing, countLostReader } from '../../db/queries/batches/parse.js';
import { testDatabase } from '../setup/database.js';
import { batchRow } from './batch-row.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';

let database: Database;
let url: string;
const closers: (() => Promise<unknown>)[] = [];
let tenant: Tenant;

beforeAll(async () => {
  const own = await testDatabase();
  url = own.url;
  database = openDatabase({ url, poolSize: 5, name: 'test' });
  closers.push(
    () => database.close(),
    () => own.close(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});
beforeEach(async () => {
  tenant = await aTenant(database.db);
});

const parse = (batchId: string, { accountId } = tenant, on = database): Promise<unknown> =>
  new MockActivityEnvironment().run(() =>
    parseBatch({ database: on, kickOutbox: () => undefined }, { accountId, batchId }),
  );

/** Readers that died, which their workers have seen, and then workers that were killed at it. */
async function lose(batchId: string, lost: { readonly readers: number; readonly workers: number }): Promise<void> {
  const { db } = database;
  const batch = { accountId: tenant.accountId, batchId };
  for (let left = lost.readers; left > 0; left--) await countLostReader(db, batchId);
  for (let left = lost.workers; left > 0; left--) await beginParsing(db, batch, `worker ${left}`);
}

function workbookOf(rows: number): Buffer {
  const cells = [['phone_number'], ...Array.from({ length: rows }, (_, index) => [`+1202${5_550_000 + index}`])];
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(cells, { dense: true }), 'People');
  return XLSX.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}

test('C3: a workbook is opened before anything is locked, however soon Postgres ends idle transactions', async () => {
  const rows = 60_000;
  const batchId = await aBatch(database.db, tenant, 'phone_number\n');
  await sql`update batch_files set bytes = ${workbookOf(rows)}, extension = 'xlsx' where batch_id = ${batchId}`.execute(
    database.db,
  );
  const impatient = new pg.Pool({ connectionString: url, max: 3, idle_in_transaction_session_timeout: 1_000 });
  impatient.on('error', () => undefined);
  impatient.on('connect', (client) => client.on('error', () => undefined));
  closers.unshift(() => impatient.end());
  await parse(batchId, tenant, { ...database, pool: impatient });
  expect(await batchRow(database, batchId)).toMatchObject({ status: 'running', records_uploaded: rows });
});

test.each([
  { readers: 3, workers: 0 },
  { readers: 2, workers: 3 },
  { readers: 0, workers: 9 },
])('P0-1: a file that has cost so many, %j, ends the batch with words, and is not read again', async (lost) => {
  const batchId = await aBatch(database.db, tenant, csvOf(2));
  await lose(batchId, lost);
  await parse(batchId);
  expect(await batchRow(database, batchId)).toMatchObject({
    status: 'parse_failed',
    parse_error: expect.stringContaining('interrupted again and again'),
  });
});

test.each([
  { readers: 2, workers: 2 },
  { readers: 0, workers: 8 },
])('P0-1: a file is read after it has cost no more than %j', async (lost) => {
  const batchId = await aBatch(database.db, tenant, csvOf(2));
  await lose(batchId, lost);
  await parse(batchId);
  expect(await batchRow(database, batchId)).toMatchObject({ status: 'running', records_uploaded: 2 });
});

test('P0-1: Postgres being away counts for nothing, however often', async () => {
  const batchId = await aBatch(database.db, tenant, csvOf(2));
  const away = { ...database, pool: new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' }) };
  for (let round = 0; round < 5; round += 1) await expect(parse(batchId, tenant, away)).rejects.toThrow('ECONNREFUSED');
  await parse(batchId);
  expect(await batchRow(database, batchId)).toMatchObject({ status: 'running', parse_tries: 0 });
});

test("P2-7: one small file of an account is read at a time, in their order, and never holds up another account's", async () => {
  const [first, second] = [await aBatch(database.db, tenant, csvOf(1)), await aBatch(database.db, tenant, csvOf(1))];
  const other = await aTenant(database.db);
  const others = await aBatch(database.db, other, csvOf(1));

  const refused: unknown = await parse(second).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApplicationFailure);
  expect(refused).toMatchObject({ type: 'NotYetItsTurn', category: 'BENIGN', nonRetryable: false });
  await parse(others, other);
  expect(await batchRow(database, others)).toMatchObject({ status: 'running' });

  await parse(first);
  await parse(second);
  expect(await batchRow(database, second)).toMatchObject({ status: 'running', parse_tries: 0 });
});

test('P2-7: a file that cannot be read for a quarter of an hour holds up no later one of its account', async () => {
  const stuck = await aBatch(database.db, tenant, csvOf(1));
  const later = await aBatch(database.db, tenant, csvOf(1));
  await expect(parse(later)).rejects.toThrow('are read first: 1.');
  await database.db
    .updateTable('batches')
    .set({ created_at: sql`clock_timestamp() - interval '16 minutes'` })
    .where('id', '=', stuck)
    .execute();

  await parse(later);
  expect(await batchRow(database, later)).toMatchObject({ status: 'running' });
});

// shows: rows.column-names
test('a file is read by the names that its batch has for its columns', async () => {
  const batchId = await aBatch(database.db, tenant, 'Mobile,Vorname\n+12025550100,Asha\n');
  const names = JSON.stringify({ phone_number: 'Mobile', first_name: 'Vorname' });
  await sql`update batches set column_names = ${names}::jsonb where id = ${batchId}`.execute(database.db);
  await parse(batchId);
  const { rows } = await sql`select c.to_number, c.metadata, b.columns from calls c join batches b on b.id = c.batch_id
    where b.id = ${batchId}`.execute(database.db);
  expect(rows).toEqual([
    { to_number: '+12025550100', metadata: { first_name: 'Asha' }, columns: ['phone_number', 'first_name'] },
  ]);
});

const zonesOf = (batchId: string) =>
  database.db
    .selectFrom('calls')
    .select('time_zones as zones')
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();

test('rows keep the zone that they name also without a window by it: hours of the account go by the callees’ clocks', async () => {
  const file = 'phone_number,timezone\n+12125550101,Asia/Tokyo\n+12125550102,\n+12125550103,Eastern\n';
  const batchId = await aBatch(database.db, tenant, file);
  await parse(batchId);
  expect(await zonesOf(batchId)).toEqual([{ zones: ['Asia/Tokyo'] }, { zones: null }, { zones: null }]);
  const waits = await database.db
    .selectFrom('batch_waits')
    .select(['zones', 'calls'])
    .where('batch_id', '=', batchId)
    .execute();
  expect(waits).toEqual([{ zones: 'Asia/Tokyo', calls: 1 }]);
});

test('a row that names no zone is not called if the account has hours by the callees’ clocks', async () => {
  const hours = { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] };
  await sql`insert into guardrails (account_id, calling_hours) values (${tenant.accountId}, ${JSON.stringify(hours)}::jsonb)`.execute(
    database.db,
  );
  const file = 'phone_number,timezone\n+12125550101,Asia/Tokyo\n+12125550103,Eastern\n';
  const batchId = await aBatch(database.db, tenant, file);
  await parse(batchId);
  expect(await zonesOf(batchId)).toEqual([{ zones: ['Asia/Tokyo'] }]);
  const rejected = database.db.selectFrom('rejected_rows').select(['row', 'reason']).where('batch_id', '=', batchId);
  expect(await rejected.execute()).toEqual([{ row: 3, reason: 'invalid_timezone' }]);
});
