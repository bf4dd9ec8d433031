import { afterEach, expect, test } from 'vitest';
import {
  allDialingGateways,
  resumeAccount,
  resumeServiceDialing,
  stopServiceDialing,
  suspendAccount,
} from '../../../db/queries/accounts/suspension.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { aWorld, numbersEndingIn, until, type World } from './world.js';

let world: World;
afterEach(() => world.close());

const invites = () => world.ledger().filter((line) => line.event === 'invite');
const passed = async () =>
  (
    await world.database.db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('phase', 'not in', ['queued', 'claimed'])
      .execute()
  ).length;
const allQueuedOrEnded = async () =>
  (
    await world.database.db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('phase', 'not in', ['queued', 'ended'])
      .execute()
  ).length === 0;

test.each([
  ['suspended', suspendAccount, resumeAccount] as const,
  ['stopped with all accounts', stopServiceDialing, resumeServiceDialing] as const,
])(
  'P2-2: once an account is %s nothing of it passes the gate, in the middle of a batch; resumed, nobody is lost',
  async (_how, hold, resume) => {
    world = await aWorld({ speed: 50 });
    const { db } = world.database;
    const gateway = await world.gateway({ callsPerSecond: 40, maxConcurrentCalls: 100 });
    await world.calls(gateway, await world.batch(gateway), numbersEndingIn(7, 120));
    await world.dialer();
    await world.dialer();
    await until(() => invites().length >= 15);

    await db.transaction().execute((tx) => hold(tx, world.accountId, { reason: null, hangUp: false }));
    const before = await passed();
    expect(before).toBeLessThan(120);
    await until(allQueuedOrEnded);
    // What had passed and came too late for its slot was not sent, and is in the queue again.
    const sent = await passed();
    expect(sent).toBeLessThanOrEqual(before);
    expect(invites()).toHaveLength(sent);

    expect(await db.transaction().execute((tx) => resume(tx, world.accountId))).toBe(true);
    await wakeGateways(db, await allDialingGateways(db));
    await until(() => invites().length === 120);
  },
);

test('P2-2: live calls of a suspended account go on unless they are to be hung up', async () => {
  const number = '+15550100010';
  const talk = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 3600 } as const;
  world = await aWorld({ speed: 1, scenario: { numbers: { [number]: [talk] } } });
  const { db } = world.database;
  const gateway = await world.gateway();
  const [id = ''] = await world.calls(gateway, await world.batch(gateway), [number]);
  await world.dialer();
  const call = () => db.selectFrom('calls').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow();
  await until(async () => (await call()).status === 'in-progress');

  const suspend = (hangUp: boolean) =>
    db.transaction().execute((tx) => suspendAccount(tx, world.accountId, { reason: 'unpaid', hangUp }));
  expect(await suspend(false)).toBe(true);
  const ordered = () => db.selectFrom('call_attempts').select('hang_up_at').executeTakeFirstOrThrow();
  expect((await ordered()).hang_up_at).toBeNull();
  expect(await suspend(true)).toBe(false);
  await until(async () => (await call()).status === 'answered');
  expect(await call()).toEqual({ status: 'answered', reason: 'account_suspended' });
});
