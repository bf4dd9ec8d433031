import { MockActivityEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseBatch } from '../../activities/parse-batch.js';
import { type Database, openDatabase } from '../../db/client.js';
import { beginParsing, giveUpParsing } from '../../db/queries/batches/parse.js';
import { smallFileBytes } from '../../db/queries/upkeep/reading-turns.js';
import { testDatabase } from '../setup/database.js';
import { batchRow } from './batch-row.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';

let database: Database;
let close: () => Promise<void>;
let tenant: Tenant;

beforeAll(async () => {
  const own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  close = async () => {
    await database.close();
    await own.close();
  };
});
afterAll(() => close());
beforeEach(async () => {
  // What an earlier test left unread waits for no reader.
  await database.db.deleteFrom('batches').where('status', '=', 'parsing').execute();
  tenant = await aTenant(database.db);
});

const small = (of = tenant): Promise<string> => aBatch(database.db, of, csvOf(1));

/** A file that is just too large to be a small one. */
async function large(of = tenant): Promise<string> {
  const file = csvOf(1);
  return aBatch(database.db, of, `${file}${'\n'.repeat(smallFileBytes + 1 - file.length)}`);
}

/** What becomes of a worker's try to read the file. */
async function read(batchId: string, { accountId } = tenant): Promise<string> {
  const one = { database, kickOutbox: () => undefined };
  try {
    await new MockActivityEnvironment().run(() => parseBatch(one, { accountId, batchId }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return (await batchRow(database, batchId)).status;
}

/** A worker has begun to read the file, and is at it. */
async function begin(batchId: string, { accountId } = tenant): Promise<void> {
  await beginParsing(database.db, { accountId, batchId }, 'another worker');
}

const waitsFor = (files: number): string => `Other files of this account are read first: ${files}.`;

test('a small file waits for none of the large files that were uploaded before it', async () => {
  const files = [await large(), await large(), await large()];
  const late = await small();
  await begin(String(files[0]));
  expect(await read(late)).toBe('running');
});

test('a small file waits for the small ones before it, a large one for the large ones, each in the order of uploads', async () => {
  const [firstSmall, firstLarge, nextSmall, nextLarge] = [await small(), await large(), await small(), await large()];
  expect([await read(nextSmall), await read(nextLarge)]).toEqual([waitsFor(1), waitsFor(1)]);
  expect([await read(firstLarge), await read(nextSmall)]).toEqual(['running', waitsFor(1)]);
  expect([await read(firstSmall), await read(nextSmall), await read(nextLarge)]).toEqual([
    'running',
    'running',
    'running',
  ]);
});

test.each([
  ['small', large, small],
  ['large', small, large],
] as const)(
  'an account gets no second reader for a %s file while an account without any waits for one',
  async (_, make, makeNext) => {
    const other = await aTenant(database.db);
    const underWay = await make();
    const [next, others] = [await makeNext(), await small(other)];
    await begin(underWay);
    expect(await read(next)).toBe(waitsFor(1));
    expect(await read(others, other)).toBe('running');
    expect(await read(next)).toBe('running');
  },
);

test('an account that has a file being read keeps no other account from its second reader', async () => {
  const other = await aTenant(database.db);
  await begin(await large(other), other);
  await large(other);
  await begin(await large());
  expect(await read(await small())).toBe('running');
});

test('an account without any file being read gets a reader although others wait: for its small file, too, between two large ones', async () => {
  const other = await aTenant(database.db);
  const [first] = [await large(), await large()];
  const late = await small();
  await small(other);
  await begin(first);
  expect(await read(late)).toBe(waitsFor(1));
  await giveUpParsing(database.db, first, 'another worker');
  expect(await read(late)).toBe('running');
});

test('a small and a large file whose workers died do not wait for each other', async () => {
  const other = await aTenant(database.db);
  const [first, second] = [await large(), await small()];
  await small(other);
  await begin(first);
  await begin(second);
  expect(await read(second)).toBe(waitsFor(1));
  expect(await read(first)).toBe('running');
  expect(await read(second)).toBe('running');
});
