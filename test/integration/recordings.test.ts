import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpired } from '../../activities/retention.js';
import { type Database, openDatabase } from '../../db/client.js';
import type { AgentLeg } from '../../db/queries/calls/conversation.js';
import { removePiece } from '../../db/queries/batches/delete.js';
import { eraseContact } from '../../db/queries/accounts/erase-contact.js';
import { beginRecording, recordingPages, storeRecording } from '../../db/queries/calls/recordings.js';
import { formatId } from '../../domain/ids.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { lockWaits } from '../setup/lock-waits.js';

let testing: TestDatabase;
let database: Database;
const accountId = formatId('account', uuidv7());
beforeAll(async () => {
  testing = await testDatabase();
  database = openDatabase({ url: testing.url, poolSize: 3, name: 'test' });
  await database.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'Test', webhook_secret_sealed: 'sealed' })
    .execute();
});
afterAll(async () => {
  await database.close();
  await testing.close();
});

const noon = new Date('2026-03-02T12:00:00.000Z');
const dayMs = 86_400_000;
let made = 0;

async function aCall(change: object = {}): Promise<AgentLeg & { readonly number: string }> {
  const [callId, number] = [uuidv7(), `+1555030${String(++made).padStart(4, '0')}`];
  const parties = { account_id: accountId, to_number: number, from_number: '+15550100001' };
  await database.db
    .insertInto('calls')
    .values({ id: callId, ...parties, rule_id: 'rule_x', gateway_id: 'gwo_x', status: 'answered', ...change })
    .execute();
  return { accountId, callId, attempt: 1, number };
}
const page = (sequence: number) => ({ sequence, frames: 50 * sequence, bytes: Buffer.from(`page ${sequence}`) });
const begin = (leg: AgentLeg, at = noon) => beginRecording(database.db, leg, at);
const pages = async ({ callId }: AgentLeg) => (await recordingPages(database.db, accountId, callId)).length;

async function recorded(leg: AgentLeg, at = noon): Promise<void> {
  await begin(leg, at);
  expect(await storeRecording(database.db, leg, [page(0), page(1)])).toBe(true);
}

test('an agent that takes over goes on where the one that died has stopped', async () => {
  const leg = await aCall();
  expect(await begin(leg)).toEqual({ startedAt: noon, sequence: 0, frames: 0 });
  await storeRecording(database.db, leg, [page(0), page(1), page(2)]);
  expect(await begin(leg, new Date(noon.getTime() + 9_000))).toEqual({ startedAt: noon, sequence: 3, frames: 100 });
  expect(await pages(leg)).toBe(3);
});

test('a call has the recording of its latest attempt', async () => {
  const leg = await aCall();
  await recorded(leg);
  const second = { ...leg, attempt: 2 };
  expect(await begin(second)).toMatchObject({ sequence: 0 });
  expect(await begin(leg)).toBeNull();
  expect(await storeRecording(database.db, leg, [page(0)])).toBe(false);
  expect(await storeRecording(database.db, second, [page(0)])).toBe(true);
});

// shows: calls.recording
test('with a person goes what they said, and nothing more of the call is kept', async () => {
  const leg = await aCall();
  await recorded(leg);
  await database.db.transaction().execute((tx) => eraseContact(tx, accountId, leg.number));
  expect(await pages(leg)).toBe(0);
  expect(await storeRecording(database.db, leg, [page(2)])).toBe(false);
  expect(await begin(leg)).toBeNull();
});

test('an erasure that comes while a recording begins waits for it and takes it along', async () => {
  const leg = await aCall();
  const { pool, db } = database;
  const erasing = await pool.connect();
  await erasing.query('begin');
  await erasing.query('update calls set erased_at = now() where id = $1', [leg.callId]);
  const begun = begin(leg);
  await expect.poll(() => lockWaits(pool)).toBe(1);
  await erasing.query('commit');
  erasing.release();
  expect(await begun).toBeNull();
  expect(await db.selectFrom('recordings').selectAll().where('call_id', '=', leg.callId).execute()).toEqual([]);
});

// shows: calls.recording
test('with a deleted batch go the recordings of its calls', async () => {
  const batchId = formatId('batch', uuidv7());
  const leg = await aCall({ batch_id: batchId, position: 0 });
  await recorded(leg);
  while (await removePiece(database.db, accountId, batchId));
  expect(await pages(leg)).toBe(0);
});

test('recordings go when their own time is over, and with the rest of a call at the latest', async () => {
  const daysLater = (days: number) => new Date(noon.getTime() + days * dayMs);
  const round = (keep: { data?: number; recordings?: number }, now: Date) =>
    deleteExpired(database.db, keep, now, new AbortController().signal);
  const leg = await aCall({ created_at: noon, updated_at: noon, transcript: '[]' });
  const other = await aCall({ created_at: daysLater(3), updated_at: daysLater(3) });
  await recorded(leg);
  await recorded(other, daysLater(3));
  const left = async () => [await pages(leg), await pages(other)];

  await round({ recordings: 7 }, daysLater(6.9));
  expect(await left()).toEqual([2, 2]);
  await round({ recordings: 7 }, daysLater(7.1));
  expect(await left()).toEqual([0, 2]);
  const { transcript } = await database.db
    .selectFrom('calls')
    .select('transcript')
    .where('id', '=', leg.callId)
    .executeTakeFirstOrThrow();
  expect(transcript).toEqual([]);
  await round({ data: 30 }, daysLater(33.1));
  expect(await left()).toEqual([0, 0]);
});

test('an agent that lives on after another has taken over its leg adds nothing to the recording, whatever it stores meanwhile', async () => {
  const leg = await aCall();
  const [first, second] = [
    { ...leg, run: 'AJ_1' },
    { ...leg, run: 'AJ_2' },
  ];
  await begin(first);
  // The page is being stored when the second one takes over: it counts, and the next ones do not.
  let taken: ReturnType<typeof begin> | undefined;
  await database.db.transaction().execute(async (tx) => {
    expect(await storeRecording(tx, first, [page(0)])).toBe(true);
    let isTaken = false;
    taken = begin(second);
    void taken.then(() => (isTaken = true));
    await expect.poll(async () => isTaken || (await lockWaits(database.pool)) === 1).toBe(true);
  });
  expect(await taken).toMatchObject({ sequence: 1 });
  expect(await storeRecording(database.db, first, [page(1)])).toBe(false);
  expect(await storeRecording(database.db, second, [page(1), page(2)])).toBe(true);
  expect(await pages(leg)).toBe(3);
});
