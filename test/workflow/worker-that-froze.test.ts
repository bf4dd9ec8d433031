import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseBatch } from '../../activities/parse-batch.js';
import { type Database, openDatabase } from '../../db/client.js';
import { endSilentCopies } from '../../db/queries/upkeep/silent-copies.js';
import { testDatabase } from '../setup/database.js';
import { batchRow } from './batch-row.js';
import { aBatch, aTenant, csvOf } from './fixtures.js';

let database: Database;
let url: string;
const closers: (() => Promise<unknown>)[] = [];

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

/** A worker's session that holds the batch's lock, has begun to store its rows, and never goes on. */
async function aFrozenWorker(batchId: string): Promise<{ readonly ended: Promise<string> }> {
  const client = new pg.Client({ connectionString: url, application_name: 'outdial-worker' });
  await client.connect();
  const ended = new Promise<string>((resolve) => {
    client.once('error', (error: Error) => {
      resolve(error.message);
    });
  });
  client.on('error', () => undefined);
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [batchId]);
  client.query(copyFrom('copy rejected_rows from stdin')).on('error', () => undefined);
  return { ended };
}

const sessions = async (condition: string): Promise<number> => {
  const { rowCount } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and ${condition}`,
  );
  return rowCount ?? 0;
};

test('a worker that is frozen for good while it stores a file keeps no other from storing it', async () => {
  const tenant = await aTenant(database.db);
  const batchId = await aBatch(database.db, tenant, csvOf(7));
  const frozen = await aFrozenWorker(batchId);
  await expect.poll(() => sessions(`query like 'copy %' and wait_event = 'ClientRead'`)).toBe(1);

  const parsed = new MockActivityEnvironment().run(() =>
    parseBatch({ database, kickOutbox: () => undefined }, { accountId: tenant.accountId, batchId }),
  );
  await expect.poll(() => sessions(`wait_event_type = 'Lock' and wait_event = 'advisory'`)).toBe(1);
  expect(await endSilentCopies(database.db), 'a COPY that began a moment ago is left alone').toEqual([]);
  expect(await endSilentCopies(database.db, 0)).toHaveLength(1);

  await parsed;
  expect(await batchRow(database, batchId)).toMatchObject({ status: 'running', records_uploaded: 7 });
  expect(await frozen.ended).toMatch(/terminat/);
});
