import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { defaultGuardrails, type Guardrails } from '../../../domain/account/guardrails.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');
const put = (change: Partial<Guardrails>) =>
  db()
    .transaction()
    .execute((tx) => putGuardrails(tx, testEnv.accountId, { ...defaultGuardrails, ...change }));
const callOf = (id: string) =>
  db().selectFrom('calls').select(['status', 'reason', 'attempts_made']).where('id', '=', id).executeTakeFirstOrThrow();
const attemptOf = (id: string) =>
  db()
    .selectFrom('call_attempts')
    .selectAll()
    .where('call_id', '=', id)
    .orderBy('number', 'desc')
    .executeTakeFirstOrThrow();
const settled = async (ids: readonly string[]) =>
  (
    await db()
      .selectFrom('calls')
      .select('settled')
      .where('id', 'in', [...ids])
      .execute()
  ).every((call) => call.settled);

/** Hours of which this moment is not part, in whatever zone: another day of the week, everywhere. */
const closedHours = () => {
  const today = new Date().getUTCDay();
  return { from: '09:00', until: '18:00', daysOfWeek: [((today + 2) % 7) + 1] };
};
const alwaysOpen = { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] };

/** A carrier that is asked to prepare and does not answer before it is let. */
function slowToPrepare(provider: CallProvider) {
  const door = new EventEmitter();
  const released = once(door, 'opened');
  let asked = 0;
  const slow: CallProvider = {
    ...provider,
    async prepare(order) {
      asked += 1;
      await released;
      await provider.prepare(order);
    },
  };
  return { slow, release: () => door.emit('opened'), asked: () => asked };
}

// shows: guardrails.at-claim, guardrails.countries
test('numbers of other countries, premium-rate and satellite ones end failed by default', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const numbers = ['+15550100007', '+442079460907', '+19002345607', '+870773112307'];
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbers);

  await testEnv.dialer();
  await until(() => settled(ids));

  expect(invites().map((line) => line.to)).toEqual(['+15550100007']);
  expect(await Promise.all(ids.slice(1).map(callOf))).toEqual([
    { status: 'failed', reason: 'country_not_allowed', attempts_made: 0 },
    { status: 'failed', reason: 'premium_rate_number', attempts_made: 0 },
    { status: 'failed', reason: 'satellite_number', attempts_made: 0 },
  ]);
  await until(() => testEnv.told.length === 4);
});

// shows: guardrails.at-claim
test('single calls are held to the same', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, null, ['+442079460907']);
  await testEnv.dialer();
  await until(() => settled(ids));
  expect(await callOf(ids[0]!)).toMatchObject({ status: 'failed', reason: 'country_not_allowed' });
  expect(invites()).toEqual([]);
});

// shows: guardrails.hours
test('outside of the calling hours no call is dialed and nothing is used up: the attempt waits for the opening', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  await put({ callingHours: closedHours() });
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107']);

  await testEnv.dialer();
  await until(async () => (await attemptOf(id)).due_at.getTime() > Date.now());

  const attempt = await attemptOf(id);
  const opening = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'America/New_York', hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
  }).format(attempt.due_at);
  expect(opening).toBe('09:00');
  expect(attempt).toMatchObject({ phase: 'queued', invite: 0 });
  expect(await callOf(id)).toMatchObject({ status: 'pending', attempts_made: 0 });
  expect(invites()).toEqual([]);

  await put({ callingHours: alwaysOpen });
  await db().updateTable('call_attempts').set({ due_at: new Date() }).execute();
  await wakeGateways(db(), [gateway.id]);
  await until(() => settled([id]));
  expect(invites()).toHaveLength(1);
});

test('those who may be called are not kept waiting behind a queue of those who may not', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway({ callsPerSecond: 5 });
  await put({ callingHours: closedHours() });
  const closed = Array.from({ length: 700 }, (_, i) => `+1212${String(5_550_000 + i)}`);
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), closed);
  await testEnv.dialer();
  // At five calls a second, claiming one by one would take minutes.
  await until(
    async () =>
      (await db().selectFrom('call_attempts').select('call_id').where('due_at', '<=', new Date()).execute()).length ===
      0,
  );
  expect(invites()).toEqual([]);
  expect(ids).toHaveLength(700);
});

test('hours that were closed between claim and gate keep the call in', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107']);
  const { slow, release, asked } = slowToPrepare(testEnv.provider());
  await testEnv.dialer(slow);
  await until(() => asked() === 1);
  expect((await attemptOf(id)).phase).toBe('claimed');

  await put({ callingHours: closedHours() });
  release();
  await until(async () => (await attemptOf(id)).due_at.getTime() > Date.now());

  expect(invites()).toEqual([]);
  expect(await attemptOf(id)).toMatchObject({ phase: 'queued', invite: 0 });
});

test('a country that was struck off between claim and gate is not dialed', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107']);
  const { slow, release, asked } = slowToPrepare(testEnv.provider());
  await testEnv.dialer(slow);
  await until(() => asked() === 1);

  await put({ allowedCountries: ['IN'] });
  release();
  await until(() => settled(ids));

  expect(invites()).toEqual([]);
  expect(await callOf(ids[0]!)).toMatchObject({ status: 'failed', reason: 'country_not_allowed' });
});

// shows: dnc.dial
test('a number that came onto the do-not-call list between claim and gate is not dialed', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107']);
  const { slow, release, asked } = slowToPrepare(testEnv.provider());
  await testEnv.dialer(slow);
  await until(() => asked() === 1);

  await db().insertInto('do_not_call').values({ account_id: testEnv.accountId, e164: '+12125550107' }).execute();
  release();
  await until(() => settled(ids));

  expect(invites()).toEqual([]);
  expect(await callOf(ids[0]!)).toMatchObject({ status: 'failed', reason: 'do_not_call' });
});

// shows: guardrails.attempts
test('a number is not dialed more often in a day than allowed, over all batches, retries and single calls', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  await put({ maxAttemptsPerNumberPerDay: 2 });
  const number = '+12125550107';
  const first = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  const second = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  await testEnv.dialer();
  await until(() => settled([...first, ...second]));

  const [third = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  await until(async () => (await attemptOf(third)).due_at.getTime() > Date.now());

  expect(invites()).toHaveLength(2);
  const { due_at, phase } = await attemptOf(third);
  expect(phase).toBe('queued');
  const clock = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: 'America/New_York', hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
  }).format(due_at);
  expect(clock).toBe('00:00');
});

// shows: guardrails.attempts
test('attempts whose batch has been deleted still count', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  await put({ maxAttemptsPerNumberPerDay: 1 });
  const number = '+12125550107';
  const [first = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  await testEnv.dialer();
  await until(() => settled([first]));
  await db().deleteFrom('calls').where('id', '=', first).execute();

  const [second = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), [number]);
  await until(async () => (await attemptOf(second)).due_at.getTime() > Date.now());
  expect(invites()).toHaveLength(1);
});

// shows: guardrails.disclosure
test('the disclosure is the first that the agent says', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const gateway = await testEnv.gateway();
  const disclosure = 'This call is made by an artificial voice.';
  await put({ disclosure });
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+12125550107', '+12125550109']);
  await testEnv.dialer();
  await until(() => settled(ids));
  const calls = await db().selectFrom('calls').select('transcript').where('id', 'in', ids).execute();
  for (const { transcript } of calls) {
    const lines = transcript as unknown as { speaker: string; text: string }[];
    expect(lines.find(({ speaker }) => speaker === 'agent')?.text).toBe(disclosure);
  }
});

test('a country that is allowed while a dialer ends calls to it by the guardrails of before is called', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+442079460907']);
  await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select 1 from calls for no key update`.execute(tx);
      await testEnv.dialer();
      await until(async () => (await lockWaits(testEnv.database.pool)) > 0);
      await put({ allowedCountries: ['GB', 'US'] });
    });
  await wakeGateways(db(), [gateway.id]);
  await until(() => settled(ids));
  expect(await callOf(ids[0]!)).toMatchObject({ status: 'answered', attempts_made: 1 });
});
