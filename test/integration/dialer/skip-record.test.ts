import { afterEach, expect, test } from 'vitest';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

// shows: recipients.skip
test('recipients that are skipped while two dialers are at work are dialed never, and those that come too late once', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway({ callsPerSecond: 10, maxConcurrentCalls: 100 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 120));
  await testEnv.dialer();
  await testEnv.dialer();
  const invitesOf = (id: string) =>
    testEnv.ledger().filter(({ event, callId }) => event === 'invite' && callId === id).length;
  const outcomes = new Map<string, string>();
  // From the head of the queue, where claims, gates and skips meet.
  for (const id of ids.filter((_, place) => place % 2 === 0)) {
    const { outcome } = await db.transaction().execute((tx) => skipRecord(tx, testEnv.accountId, batchId, id));
    outcomes.set(id, outcome);
  }
  await until(
    async () =>
      (await db.selectFrom('calls').select('id').where('id', 'in', ids).where('settled', '=', false).execute())
        .length === 0,
  );
  const skipped = ids.filter((id) => outcomes.get(id) === 'skipped');
  expect(skipped.length).toBeGreaterThan(20);
  expect(skipped.filter((id) => invitesOf(id) !== 0)).toEqual([]);
  expect(ids.filter((id) => !skipped.includes(id) && invitesOf(id) !== 1)).toEqual([]);
});
