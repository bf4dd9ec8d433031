import { afterEach, expect, test } from 'vitest';
import { resumeBatch } from '../../../db/queries/batches/control.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

/** A network in which every call is answered at once, and these are taken by no agent. */
const answering = (abandoned: ReadonlySet<string>): CallProvider => ({
  ...testEnv.provider(),
  prepare: () => Promise.resolve(),
  dial: ({ to }) =>
    Promise.resolve({
      ...{ at: new Date(), answeredAt: new Date(), answeredBy: 'human', rang: true },
      how: abandoned.has(to) ? 'agent_missing' : 'ended',
    }),
});

const batchOf = (id: string) =>
  testEnv.database.db
    .selectFrom('batches')
    .select(['paused', 'paused_reason', 'paused_details'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const settled = async (batchId: string) =>
  (
    await testEnv.database.db
      .selectFrom('calls')
      .select('id')
      .where('batch_id', '=', batchId)
      .where('settled', '=', true)
      .execute()
  ).length;

async function play(calls: number, abandoned: number): Promise<string> {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway({ callsPerSecond: 200, maxConcurrentCalls: 500 });
  const batchId = await testEnv.batch(gateway);
  const numbers = numbersEndingIn(7, calls);
  await testEnv.calls(gateway, batchId, numbers);
  await testEnv.dialer(answering(new Set(numbers.slice(0, abandoned))));
  await until(async () => (await settled(batchId)) === calls);
  return batchId;
}

test('a batch of which more than 3 % of 100 answered calls found no agent is paused, and says how many', async () => {
  const batchId = await play(100, 4);
  await until(async () => (await batchOf(batchId)).paused);
  expect(await batchOf(batchId)).toMatchObject({
    paused_reason: 'abandoned_rate',
    paused_details: expect.stringContaining('4 of 100 answered calls'),
  });

  // Resumed, it begins to count again: one more call that found no agent is not 3 % of 100.
  expect(await testEnv.database.db.transaction().execute((tx) => resumeBatch(tx, testEnv.accountId, batchId))).toBe(
    'done',
  );
  expect(
    await testEnv.database.db
      .selectFrom('batch_counters')
      .select(['answered_in_window', 'abandoned_in_window'])
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow(),
  ).toEqual({ answered_in_window: 0, abandoned_in_window: 0 });
});

test('3 % of 100, or any share of fewer, pauses nothing', async () => {
  const batchId = await play(100, 3);
  expect(
    await testEnv.database.db
      .selectFrom('batch_counters')
      .select(['answered_in_window', 'abandoned_in_window'])
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow(),
  ).toEqual({ answered_in_window: 100, abandoned_in_window: 3 });
  expect(await batchOf(batchId)).toMatchObject({ paused: false });
});
