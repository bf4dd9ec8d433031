import { afterEach, expect, test } from 'vitest';
import {
  allDialingGateways,
  resumeAccount,
  resumeServiceDialing,
  stopServiceDialing,
  suspendAccount,
} from '../../../db/queries/accounts/suspension.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');
const passed = async () =>
  (
    await testEnv.database.db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('phase', 'not in', ['queued', 'claimed'])
      .execute()
  ).length;
const allQueuedOrEnded = async () =>
  (
    await testEnv.database.db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('phase', 'not in', ['queued', 'ended'])
      .execute()
  ).length === 0;

test.each([
  ['suspended', suspendAccount, resumeAccount] as const,
  ['stopped with all accounts', stopServiceDialing, resumeServiceDialing] as const,
])(
  'P2-2: once an account is %s nothing of it passes the gate, in the middle of a batch; resumed, no recipient is lost',
  async (_how, hold, resume) => {
    testEnv = await dialerTestEnv({ speed: 50 });
    const { db } = testEnv.database;
    const gateway = await testEnv.gateway({ callsPerSecond: 40, maxConcurrentCalls: 100 });
    await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 120));
    await testEnv.dialer();
    await testEnv.dialer();
    await until(() => invites().length >= 15);

    await db.transaction().execute((tx) => hold(tx, testEnv.accountId, { reason: null, hangUp: false }));
    const before = await passed();
    expect(before).toBeLessThan(120);
    await until(allQueuedOrEnded);
    // What had passed and came too late for its slot was not sent, and is in the queue again.
    const sent = await passed();
    expect(sent).toBeLessThanOrEqual(before);
    expect(invites()).toHaveLength(sent);

    expect(await db.transaction().execute((tx) => resume(tx, testEnv.accountId))).toBe(true);
    await wakeGateways(db, await allDialingGateways(db));
    await until(() => invites().length === 120);
  },
);

test('P2-2: live calls of a suspended account go on unless they are to be hung up', async () => {
  const number = '+15550100010';
  const talk = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 3600 } as const;
  testEnv = await dialerTestEnv({ speed: 1, scenario: { numbers: { [number]: [talk] } } });
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  await testEnv.dialer();
  const call = () => db.selectFrom('calls').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow();
  await until(async () => (await call()).status === 'in-progress');

  const suspend = (hangUp: boolean) =>
    db.transaction().execute((tx) => suspendAccount(tx, testEnv.accountId, { reason: 'unpaid', hangUp }));
  expect(await suspend(false)).toBe(true);
  const ordered = () => db.selectFrom('call_attempts').select('hang_up_at').executeTakeFirstOrThrow();
  expect((await ordered()).hang_up_at).toBeNull();
  expect(await suspend(true)).toBe(false);
  await until(async () => (await call()).status === 'answered');
  expect(await call()).toEqual({ status: 'answered', reason: 'account_suspended' });
});
