import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { dialingGateways, resumeDialing, stopDialing } from '../../../db/queries/dialer/stop-dialing.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');
const dialedAttempts = async () =>
  (
    await testEnv.database.db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('phase', 'not in', ['queued', 'claimed'])
      .execute()
  ).length;

test('after the answer to stop-dialing nothing passes the gate any more, in the middle of a batch; resumed, it goes on', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway({ callsPerSecond: 40, maxConcurrentCalls: 100 });
  const numbers = numbersEndingIn(7, 120);
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbers);
  await testEnv.dialer();
  await testEnv.dialer();
  await until(() => invites().length >= 15);

  await db.transaction().execute((tx) => stopDialing(tx, testEnv.accountId, false));
  const passed = await dialedAttempts();
  expect(passed).toBeLessThan(120);
  // All live calls end, and what was claimed goes back: whatever could still have been dialed has had its chance.
  await until(
    async () =>
      (await db.selectFrom('call_attempts').select('call_id').where('phase', 'not in', ['queued', 'ended']).execute())
        .length === 0,
  );
  // What had passed and came too late for its slot was not sent, and is in the queue again.
  const sent = await dialedAttempts();
  expect(sent).toBeLessThanOrEqual(passed);
  expect(invites()).toHaveLength(sent);

  await db.transaction().execute((tx) => resumeDialing(tx, testEnv.accountId));
  await wakeGateways(db, await dialingGateways(db, testEnv.accountId));
  await until(() => invites().length === 120);
});

test('live calls are hung up if that is asked for', async () => {
  testEnv = await dialerTestEnv({
    speed: 1,
    scenario: {
      numbers: { '+15550100010': [{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 3600 }] },
    },
  });
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+15550100010']);
  await testEnv.dialer();
  const callOf = () =>
    db.selectFrom('calls').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow();
  await until(async () => (await callOf()).status === 'in-progress');

  await db.transaction().execute((tx) => stopDialing(tx, testEnv.accountId, true));
  await until(async () => (await callOf()).status === 'answered');
  expect(await callOf()).toEqual({ status: 'answered', reason: 'ended_by_api' });
});

test('stop-dialing is answered only when every gate under way has decided', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const order: string[] = [];
  let stopping: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (gate) => {
    await sql`select share_dialing_lock(${testEnv.accountId})`.execute(gate);
    stopping = db
      .transaction()
      .execute((tx) => stopDialing(tx, testEnv.accountId, false))
      .then(() => order.push('answered'));
    await until(
      async () =>
        (
          await sql`
            select 1 from pg_locks where locktype = 'advisory' and not granted
              and database = (select oid from pg_database where datname = current_database())`.execute(db)
        ).rows.length > 0,
    );
    order.push('decided');
  });
  await stopping;
  expect(order).toEqual(['decided', 'answered']);
});
