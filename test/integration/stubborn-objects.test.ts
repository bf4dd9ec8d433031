import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { moveRecordings } from '../../activities/recording-objects.js';
import { retentionActivities } from '../../activities/retention.js';
import { type Database, openDatabase } from '../../db/client.js';
import { beginRecording, storeRecording } from '../../db/queries/calls/recordings.js';
import { formatId } from '../../domain/ids.js';
import { createLogger } from '../../platform/logger.js';
import { createObjectStore, ObjectRefused, type ObjectStore, ObjectStoreFailed } from '../../platform/object-store.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

/** Objects of recordings that cannot be deleted, or not be made, beside others. */

let testing: TestDatabase;
let database: Database;
const accountId = formatId('account', uuidv7());
const [old, now] = [new Date('2026-03-02T12:00:00.000Z'), new Date('2026-03-02T14:00:00.000Z')];
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 4, name: 'test' });
  await database.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'Test', webhook_secret_sealed: 'sealed' })
    .execute();
});
afterAll(async () => {
  await database.close();
  await testing.close();
});
beforeEach(async () => {
  await database.db.deleteFrom('recordings').execute();
  await database.db.deleteFrom('recording_objects').execute();
});
afterEach(() => vi.unstubAllEnvs());

const unwanted = async (bucket: string, count: number): Promise<void> => {
  const objects = Array.from({ length: count }, (_, at) => ({
    ...{ bucket, key: `${String(at).padStart(4, '0')}.ogg`, account_id: accountId, call_id: uuidv7() },
    unwanted_at: old,
  }));
  await database.db.insertInto('recording_objects').values(objects).execute();
};

async function recorded(at: Date): Promise<string> {
  const callId = uuidv7();
  await database.db
    .insertInto('calls')
    .values({
      ...{ id: callId, account_id: accountId, to_number: '+15550310001', from_number: '+15550100001' },
      ...{ rule_id: 'rule_x', gateway_id: 'gwo_x', status: 'answered', ended_at: at },
    })
    .execute();
  const leg = { accountId, callId, attempt: 1 };
  await beginRecording(database.db, leg, at);
  await storeRecording(database.db, leg, [{ sequence: 0, frames: 50, bytes: Buffer.from('sound') }]);
  return callId;
}

/** A store that remembers what was asked of it. @param fails why it does not do it; null: it does */
function aStore(fails: (key: string, bucket: string) => Error | null) {
  const [removed, put, asked]: [string[], string[], string[]] = [[], [], []];
  const judge = (bucket: string, key: string): void => {
    asked.push(`${bucket}/${key}`);
    const error = fails(key, bucket);
    if (error !== null) throw error;
  };
  const store: ObjectStore = {
    async remove({ bucket, key }) {
      judge(bucket, key);
      await Promise.resolve();
      removed.push(`${bucket}/${key}`);
    },
    async put({ bucket, key }) {
      judge(bucket, key);
      await Promise.resolve();
      put.push(key.split('/')[1] ?? '');
    },
    get: () => Promise.reject(new Error('nobody asks')),
  };
  return { store, removed, put, asked };
}
const round = (store: ObjectStore) =>
  moveRecordings(database.db, { store, bucket: 'new', prefix: '' }, now, new AbortController().signal);
const left = async () => (await database.db.selectFrom('recording_objects').select('bucket').execute()).length;

const refused = new ObjectRefused('the object store could not delete an object: AccessDenied');
const away = new ObjectStoreFailed('the object store could not delete an object: TimeoutError');

test('objects that a store never deletes hold up neither the others of their bucket nor recordings to be moved', async () => {
  await unwanted('new', 40);
  const callId = await recorded(old);
  const { store, removed, put } = aStore((key) => (key < '0030.ogg' ? refused : null));
  await expect(round(store)).rejects.toThrow('Not all recordings could be moved or deleted.');
  expect(removed).toHaveLength(10);
  expect(put).toEqual([callId]);
});

test('a bucket that may not be written any more holds up no other bucket, and is not asked about each of its objects', async () => {
  await unwanted('a-former', 250);
  await unwanted('b-former', 3);
  const { store, removed, asked } = aStore((_key, bucket) => (bucket === 'a-former' ? refused : null));
  await expect(round(store)).rejects.toThrow(AggregateError);
  expect(removed).toEqual(['b-former/0000.ogg', 'b-former/0001.ogg', 'b-former/0002.ogg']);
  expect(asked).toHaveLength(103);
  expect(await left()).toBe(250);
});

test('a store that is away is asked ten times in a row, and not more', async () => {
  await unwanted('new', 40);
  const { store, asked } = aStore((key) => (key < '0002.ogg' ? null : away));
  await expect(round(store)).rejects.toThrow(AggregateError);
  expect(asked).toHaveLength(12);
});

test('recordings that a store refuses hold up none that come after them', async () => {
  const stubborn = new Set<string>();
  for (let at = 0; at < 12; at += 1) stubborn.add(await recorded(new Date(old.getTime() + at)));
  const callId = await recorded(new Date(old.getTime() + 1_000));
  const { store, put } = aStore((key) => (stubborn.has(key.split('/')[1] ?? '') ? refused : null));
  await expect(round(store)).rejects.toThrow(AggregateError);
  expect(put).toEqual([callId]);
});

test('a batch whose data cannot be deleted holds up no object of a recording that has to be deleted', async () => {
  await unwanted('new', 1);
  const { pool } = database;
  await pool.query(
    `insert into batches (id, account_id, name, number_id, from_number, rule_id, gateway_id, agent_id, status,
      timing, timezone, starts_at, completed_at) values ('batch_1', $1, 'Old', 'num_x', '+15550100001', 'rule_x', 'gwo_x', 'agent_x',
      'completed', 'immediate', 'UTC', $2, $2)`,
    [accountId, old],
  );
  await pool.query(`
    create function never() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
    create trigger never before update of emptied_at on batches for each row execute function never()`);
  const { store, removed } = aStore(() => null);
  const { deleteExpired } = retentionActivities({
    ...{ database, retentionDays: 30, kickOutbox: () => undefined, logger: createLogger('test', 'silent') },
    recordings: { store, bucket: 'new', prefix: '' },
  } as Parameters<typeof retentionActivities>[0]);
  const ended = new MockActivityEnvironment().run(deleteExpired);
  await expect(ended).rejects.toThrow('Not everything could be deleted that is old enough.');
  expect(removed).toEqual(['new/0000.ogg']);
});

test.each([
  ['403', ObjectRefused],
  ['429', ObjectStoreFailed],
  ['503', ObjectStoreFailed],
])('an answer of %s of a store is told from its silence', async (status, kind) => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'key');
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  const server = createServer((_request, response) => response.writeHead(Number(status)).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const store = createObjectStore({ region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` });
  const error: unknown = await store.remove({ bucket: 'b', key: 'k' }).catch((caught: unknown) => caught);
  expect(error?.constructor).toBe(kind);
});
