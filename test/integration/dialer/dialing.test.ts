import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { aWorld, numbersEndingIn, until, type World } from './world.js';

let world: World;
afterEach(() => world.close());

const allSettled = async (ids: readonly string[]) =>
  (
    await world.database.db
      .selectFrom('calls')
      .select('settled')
      .where('id', 'in', [...ids])
      .execute()
  ).every((call) => call.settled);
const invites = () => world.ledger().filter((line) => line.event === 'invite');

test('every script of the carrier ends as the outcome table says, and the workflow hears of each end once', async () => {
  world = await aWorld();
  const gateway = await world.gateway();
  const batchId = await world.batch(gateway);
  const scripts = [0, 1, 2, 3, 4, 5, 6, 7, 9];
  const ids = await world.calls(
    gateway,
    batchId,
    scripts.flatMap((digit) => numbersEndingIn(digit, 1)),
  );

  await world.dialer();
  await until(() => allSettled(ids));

  const calls = await world.database.db
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
  const counters = await world.database.db
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
  await until(() => world.told.length >= ids.length);
  expect([...world.told].sort()).toEqual(ids.map((id) => [id, 1, null]).sort());
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
  world = await aWorld();
  const gateway = await world.gateway();
  const answeredAt = new Date();
  const at = new Date(answeredAt.getTime() - 60_000);
  const [id = ''] = await world.calls(gateway, await world.batch(gateway), numbersEndingIn(7, 1));
  await world.dialer({
    ...world.provider(),
    dial: () => Promise.resolve({ how: 'ended', rang: true, answeredBy: 'human', answeredAt, at }),
  });
  await until(() => allSettled([id]));
  const call = await world.database.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'answered', answered_at: answeredAt });
  expect(call.talk_seconds).toBeGreaterThanOrEqual(0);
  expect(call.talk_seconds).toBeLessThan(30);
  expect(call.ended_at?.getTime()).toBeGreaterThanOrEqual(answeredAt.getTime());
});

test('an end that the database refuses keeps no dialer from stopping, and the next one stores it', async () => {
  world = await aWorld();
  const { db } = world.database;
  const gateway = await world.gateway();
  const [id = ''] = await world.calls(gateway, await world.batch(gateway), numbersEndingIn(1, 1));
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    db,
  );
  await sql`
    create trigger refuse before update on call_attempts for each row when (new.phase = 'ended')
    execute function refuse()`.execute(db);
  const dialer = await world.dialer();
  await until(() => world.ledger().some((line) => line.event === 'rejected'));
  await dialer.close();
  await sql`drop trigger refuse on call_attempts`.execute(db);
  await world.dialer();
  await until(() => allSettled([id]));
  const call = await db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'rejected', sip_status_code: 486, attempts_made: 1 });
  expect(invites()).toHaveLength(1);
});

test('an unsuccessful attempt that the plan retries is committed with the instant of the next one, and dialed when queued', async () => {
  world = await aWorld();
  const gateway = await world.gateway();
  const batchId = await world.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [30] });
  const [id] = await world.calls(gateway, batchId, ['+15550123411']);

  await world.dialer();
  await until(() => world.told.length === 1);

  const call = await world.database.db.selectFrom('calls').selectAll().where('id', '=', id!).executeTakeFirstOrThrow();
  expect(call).toMatchObject({ status: 'retrying', attempts_made: 1, last_outcome: 'rejected', settled: false });
  expect(call.next_attempt_at!.getTime() - call.ended_at!.getTime()).toBe(30_000);
  expect(world.told[0]).toEqual([id, 1, call.next_attempt_at!.toISOString()]);

  await world.queue(id!, 2);
  await until(() => allSettled([id!]));
  expect(invites().map((line) => line.attempt)).toEqual([1, 2]);
  expect(
    await world.database.db.selectFrom('calls').select(['status', 'attempts_made']).executeTakeFirstOrThrow(),
  ).toEqual({ status: 'answered', attempts_made: 2 });
});

// shows: dnc.dial
test('a number that came onto the do-not-call list while its call waited is not dialed', async () => {
  world = await aWorld();
  const gateway = await world.gateway();
  const ids = await world.calls(gateway, await world.batch(gateway), ['+15550100010', '+15550100020']);
  await world.database.db
    .insertInto('do_not_call')
    .values({ account_id: world.accountId, e164: '+15550100010' })
    .execute();

  await world.dialer();
  await until(() => allSettled(ids));

  expect(invites().map((line) => line.to)).toEqual(['+15550100020']);
  expect(
    await world.database.db
      .selectFrom('calls')
      .select(['status', 'reason', 'attempts_made'])
      .where('id', '=', ids[0]!)
      .executeTakeFirstOrThrow(),
  ).toEqual({ status: 'failed', reason: 'do_not_call', attempts_made: 0 });
  await until(() => world.told.some(([callId]) => callId === ids[0]));
});

// shows: rule.allowed-numbers
test('a callee whom the rule does not allow is not dialed, and the record says why', async () => {
  world = await aWorld();
  const gateway = await world.gateway();
  const ids = await world.calls(gateway, await world.batch(gateway), ['+15550100010', '+447700900020']);
  await world.database.db
    .updateTable('routing_rules')
    .set({ allowed_numbers: ['+1*'] })
    .execute();

  await world.dialer();
  await until(() => allSettled(ids));

  expect(invites().map((line) => line.to)).toEqual(['+15550100010']);
  expect(
    await world.database.db
      .selectFrom('calls')
      .select(['status', 'reason'])
      .where('id', '=', ids[1]!)
      .executeTakeFirst(),
  ).toEqual({ status: 'failed', reason: 'number_not_allowed' });
});

// shows: batch.never-twice
test('the same number is never in two calls at once, whichever gateways they go by', async () => {
  world = await aWorld({ speed: 20 });
  const first = await world.gateway();
  const second = await world.gateway();
  const number = '+15550100010';
  const ids = [
    ...(await world.calls(first, await world.batch(first), [number, number])),
    ...(await world.calls(second, await world.batch(second), [number])),
  ];
  await world.dialer();
  await world.dialer();
  await until(() => allSettled(ids));

  const legs = world
    .ledger()
    .filter((line) => line.to === number && (line.event === 'invite' || line.event === 'ended'));
  expect(legs.map((line) => line.event)).toEqual(['invite', 'ended', 'invite', 'ended', 'invite', 'ended']);
});

test('a paused batch is not dialed, and is dialed once resumed', async () => {
  world = await aWorld();
  const gateway = await world.gateway();
  const paused = await world.batch(gateway);
  const other = await world.batch(gateway);
  await world.database.db.updateTable('batches').set({ paused: true }).where('id', '=', paused).execute();
  const held = await world.calls(gateway, paused, numbersEndingIn(0, 3, 100));
  const free = await world.calls(gateway, other, numbersEndingIn(0, 3, 200));

  await world.dialer();
  await until(() => allSettled(free));
  expect(invites()).toHaveLength(3);

  await world.database.db.updateTable('batches').set({ paused: false }).where('id', '=', paused).execute();
  await wakeGateways(world.database.db, [gateway.id]);
  await until(() => allSettled(held));
});

test('a call that somebody wants hung up is hung up at once, ringing or answered', async () => {
  world = await aWorld({
    speed: 1,
    scenario: {
      numbers: {
        '+15550100010': [{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds: 3600 }],
        '+15550100020': [{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 3600 }],
      },
    },
  });
  const gateway = await world.gateway();
  const ids = await world.calls(gateway, await world.batch(gateway), ['+15550100010', '+15550100020']);
  await world.dialer();
  await until(async () => {
    const phases = await world.database.db.selectFrom('call_attempts').select('phase').orderBy('position').execute();
    return phases[0]?.phase === 'answered' && phases[1]?.phase === 'ringing';
  });

  await world.database.db
    .updateTable('call_attempts')
    .set({ hang_up_at: new Date(), hang_up_reason: 'ended_by_api' })
    .execute();
  await until(() => allSettled(ids));

  const calls = await world.database.db.selectFrom('calls').select(['status', 'reason']).orderBy('position').execute();
  expect(calls).toEqual([
    { status: 'answered', reason: 'ended_by_api' },
    { status: 'abandoned', reason: 'ended_by_api' },
  ]);
});
