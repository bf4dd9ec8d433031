import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { dialerTestEnv, inOrder, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');

/** A batch on a gateway with one line, whose calls have these priorities and are put in the queue as workflows do it. */
async function batchWith(
  priorities: readonly (number | null)[],
  notBefore: (place: number) => Date | null = () => null,
): Promise<string[]> {
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 1 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, priorities.length, 1000));
  await sql`delete from call_attempts where batch_id = ${batchId}`.execute(db);
  const known = [...new Set(priorities.map((priority) => priority ?? 5))].sort((a, b) => a - b);
  await sql`update batches set priorities = ${known} where id = ${batchId}`.execute(db);
  for (const [place, id] of ids.entries()) {
    await sql`update calls set priority = ${priorities[place]}, not_before = ${notBefore(place)},
      next_attempt_at = ${notBefore(place)} where id = ${id}`.execute(db);
  }
  const { accountId } = testEnv;
  await queueAttempts(db, { accountId, batchId, attempts: ids.map((id) => [id, 1] as const) }, new Date());
  return ids;
}

// shows: recipients.priority
test('within a batch those of the first priority are dialed first, those without one as of priority 5', async () => {
  testEnv = await dialerTestEnv({ speed: 50 }, {}, inOrder);
  const priorities = Array.from({ length: 27 }, (_, place) => [9, null, 1, 7, 5, 3][place % 6] ?? null);
  const ids = await batchWith(priorities);
  await testEnv.dialer();
  await until(() => invites().length === ids.length);
  const dialed = invites().map(({ callId }) => priorities[ids.indexOf(callId ?? '')] ?? 5);
  expect(dialed).toEqual([...dialed].sort((a, b) => a - b));
});

test('what was queued before the batch had priorities goes as priority 5', async () => {
  testEnv = await dialerTestEnv({ speed: 50 }, {}, inOrder);
  const ids = await batchWith([null, null, 9, 1]);
  const { db } = testEnv.database;
  await sql`update call_attempts set priority = null where call_id = any (${ids.slice(0, 2)}::uuid[])`.execute(db);
  await testEnv.dialer();
  await until(() => invites().length === 4);
  expect(invites().map(({ callId }) => ids.indexOf(callId ?? ''))).toEqual([3, 0, 1, 2]);
});

test('attempts of one request are dialed in the order of the file, in whichever order they come to the queue', async () => {
  testEnv = await dialerTestEnv({ speed: 50 }, {}, inOrder);
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 1 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 20, 1000));
  await sql`delete from call_attempts where batch_id = ${batchId}`.execute(db);
  // Calls are found by their ids, which grow with the file otherwise.
  await sql`update calls set position = 100 - position where batch_id = ${batchId}`.execute(db);
  const attempts = ids.map((id) => [id, 1] as const);
  await queueAttempts(db, { accountId: testEnv.accountId, batchId, attempts }, new Date());
  await testEnv.dialer();
  await until(() => invites().length === ids.length);
  expect(invites().map(({ callId }) => callId)).toEqual(ids.toReversed());
});

// shows: recipients.not-before
test('no recipient is dialed before its notBefore, and the others do not wait for it', async () => {
  testEnv = await dialerTestEnv({ speed: 50 }, {}, inOrder);
  const at = new Date(Date.now() + 2_500);
  // The one of the first priority has to wait; those after it are dialed meanwhile.
  const ids = await batchWith([1, 9, 9, 9], (place) => (place === 0 ? at : null));
  await testEnv.dialer();
  await until(() => invites().length === 4);
  expect(invites().map(({ callId }) => ids.indexOf(callId ?? ''))).toEqual([1, 2, 3, 0]);
  const { rows } = await sql<{ dialed: Date }>`
    select dialed_at as dialed from call_attempts where call_id = ${ids[0]}`.execute(testEnv.database.db);
  expect(rows[0]?.dialed.getTime()).toBeGreaterThanOrEqual(at.getTime());
});
