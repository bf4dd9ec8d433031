import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const allSettled = async (ids: readonly string[]) =>
  (
    await testEnv.database.db
      .selectFrom('calls')
      .select('settled')
      .where('id', 'in', [...ids])
      .execute()
  ).every((call) => call.settled);
const invites = () => testEnv.ledger().filter((line) => line.event === 'invite');

test('every script of the carrier ends as the outcome table says, and the workflow hears of each end once', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const scripts = [0, 1, 2, 3, 4, 5, 6, 7, 9];
  const ids = await testEnv.calls(
    gateway,
    batchId,
    scripts.flatMap((digit) => numbersEndingIn(digit, 1)),
  );

  await testEnv.dialer();
  await until(() => allSettled(ids));

  const calls = await testEnv.database.db
    .selectFrom('calls')
    .selectAll()
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
  expect(calls.map((call) => [call.status, call.sip_status_code])).toEqual([
    ['answered', 200],
    ['rejected', 486],
    ['rejected', 603],
    ['not-answered', 487],
    ['missed', 480],
    ['failed', 404],
    ['answered', 200],
    ['answered', 200],
    ['answered', 200],
  ]);
  expect(calls.map((call) => call.answered_by).at(-1)).toBe('machine');
  expect(calls.every((call) => call.simulated && call.attempts_made === 1)).toBe(true);
  const counters = await testEnv.database.db
    .selectFrom('batch_counters')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  expect(counters).toMatchObject({
    pending: 0,
    dialing: 0,
    in_progress: 0,
    answered: 4,
    rejected: 2,
    not_answered: 1,
    missed: 1,
    failed: 1,
  });
  await until(() => testEnv.told.length >= ids.length);
  expect([...testEnv.told].sort()).toEqual(ids.map((id) => [id, 1, null]).sort());
  // …6 is refused once with a plain 503, which costs no attempt.
  expect(
    invites()
      .filter((line) => line.callId === ids[6])
      .map((line) => [line.attempt, line.invite]),
  ).toEqual([
    [1, 1],
    [1, 2],
  ]);
});

test('an end that a clock puts before the answer is stored, as one of no time; it keeps no call from ending', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const answeredAt = new Date();
  const at = new Date(answeredAt.getTime() - 60_000);
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 1));
  await testEnv.dialer({
    ...testEnv.provider(),
    dial: () => Promise.resolve({ how: 'ended', rang: true, answeredBy: 'human', answeredAt, at }),
  });
  await until(() => allSettled([id]));
  const call = await testEnv.database.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'answered', answered_at: answeredAt });
  expect(call.talk_seconds).toBeGreaterThanOrEqual(0);
  expect(call.talk_seconds).toBeLessThan(30);
  expect(call.ended_at?.getTime()).toBeGreaterThanOrEqual(answeredAt.getTime());
});

test('an end that the database refuses keeps no dialer from stopping, and the next one stores it', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const gateway = await testEnv.gateway();
  const [id = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 1));
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    db,
  );
  await sql`
    create trigger refuse before update on call_attempts for each row when (new.phase = 'ended')
    execute function refuse()`.execute(db);
  const dialer = await testEnv.dialer();
  await until(() => testEnv.ledger().some((line) => line.event === 'rejected'));
  await dialer.close();
  await sql`drop trigger refuse on call_attempts`.execute(db);
  await testEnv.dialer();
  await until(() => allSettled([id]));
  const call = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'rejected', sip_status_code: 486, attempts_made: 1 });
  expect(invites()).toHaveLength(1);
});

test('an unsuccessful attempt that the plan retries is committed with the instant of the next one, and dialed when queued', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [30] });
  const [id] = await testEnv.calls(gateway, batchId, ['+15550123411']);

  await testEnv.dialer();
  await until(() => testEnv.told.length === 1);

  const call = await testEnv.database.db
    .selectFrom('calls')
    .selectAll()
    .where('id', '=', id!)
    .executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'retrying', attempts_made: 1, last_outcome: 'rejected', settled: false });
  expect(call.next_attempt_at!.getTime() - call.ended_at!.getTime()).toBe(30_000);
  expect(testEnv.told[0]).toEqual([id, 1, call.next_attempt_at!.toISOString()]);

  await testEnv.queue(id!, 2);
  await until(() => allSettled([id!]));
  expect(invites().map((line) => line.attempt)).toEqual([1, 2]);
  expect(
    await testEnv.database.db.selectFrom('calls').select(['status', 'attempts_made']).executeTakeFirstOrThrow(),
  ).toEqual({ status: 'answered', attempts_made: 2 });
});

// shows: dnc.dial
test('a number that came onto the do-not-call list while its call waited is not dialed', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+15550100010', '+15550100020']);
  await testEnv.database.db
    .insertInto('do_not_call')
    .values({ account_id: testEnv.accountId, e164: '+15550100010' })
    .execute();

  await testEnv.dialer();
  await until(() => allSettled(ids));

  expect(invites().map((line) => line.to)).toEqual(['+15550100020']);
  expect(
    await testEnv.database.db
      .selectFrom('calls')
      .select(['status', 'reason', 'attempts_made'])
      .where('id', '=', ids[0]!)
      .executeTakeFirstOrThrow(),
  ).toEqual({ status: 'failed', reason: 'do_not_call', attempts_made: 0 });
  await until(() => testEnv.told.some(([callId]) => callId === ids[0]));
});

// shows: rule.allowed-numbers
test('a callee whom the rule does not allow is not dialed, and the record says why', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+15550100010', '+447700900020']);
  await testEnv.database.db
    .updateTable('routing_rules')
    .set({ allowed_numbers: ['+1*'] })
    .execute();

  await testEnv.dialer();
  await until(() => allSettled(ids));

  expect(invites().map((line) => line.to)).toEqual(['+15550100010']);
  expect(
    await testEnv.database.db
      .selectFrom('calls')
      .select(['status', 'reason'])
      .where('id', '=', ids[1]!)
      .executeTakeFirst(),
  ).toEqual({ status: 'failed', reason: 'number_not_allowed' });
});

// shows: batch.never-twice
test('the same number is never in two calls at once, whichever gateways they go by', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const first = await testEnv.gateway();
  const second = await testEnv.gateway();
  const number = '+15550100010';
  const ids = [
    ...(await testEnv.calls(first, await testEnv.batch(first), [number, number])),
    ...(await testEnv.calls(second, await testEnv.batch(second), [number])),
  ];
  await testEnv.dialer();
  await testEnv.dialer();
  await until(() => allSettled(ids));

  const legs = testEnv
    .ledger()
    .filter((line) => line.to === number && (line.event === 'invite' || line.event === 'ended'));
  expect(legs.map((line) => line.event)).toEqual(['invite', 'ended', 'invite', 'ended', 'invite', 'ended']);
});

test('a paused batch is not dialed, and is dialed once resumed', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const paused = await testEnv.batch(gateway);
  const other = await testEnv.batch(gateway);
  await testEnv.database.db.updateTable('batches').set({ paused: true }).where('id', '=', paused).execute();
  const held = await testEnv.calls(gateway, paused, numbersEndingIn(0, 3, 100));
  const free = await testEnv.calls(gateway, other, numbersEndingIn(0, 3, 200));

  await testEnv.dialer();
  await until(() => allSettled(free));
  expect(invites()).toHaveLength(3);

  await testEnv.database.db.updateTable('batches').set({ paused: false }).where('id', '=', paused).execute();
  await wakeGateways(testEnv.database.db, [gateway.id]);
  await until(() => allSettled(held));
});

test('a call that is ended by the API is hung up at once, ringing or answered', async () => {
  testEnv = await dialerTestEnv({
    speed: 1,
    scenario: {
      numbers: {
        '+15550100010': [{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 3600 }],
        '+15550100020': [{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 3600 }],
      },
    },
  });
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), ['+15550100010', '+15550100020']);
  await testEnv.dialer();
  await until(async () => {
    const phases = await testEnv.database.db.selectFrom('call_attempts').select('phase').orderBy('position').execute();
    return phases[0]?.phase === 'answered' && phases[1]?.phase === 'ringing';
  });

  await testEnv.database.db
    .updateTable('call_attempts')
    .set({ hang_up_at: new Date(), hang_up_reason: 'ended_by_api' })
    .execute();
  await until(() => allSettled(ids));

  const calls = await testEnv.database.db
    .selectFrom('calls')
    .select(['status', 'reason'])
    .orderBy('position')
    .execute();
  expect(calls).toEqual([
    { status: 'answered', reason: 'ended_by_api' },
    { status: 'abandoned', reason: 'ended_by_api' },
  ]);
});
