import { afterEach, expect, test } from 'vitest';
import { mostInASecond, notingDepartures } from './departures.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const settledCount = async () =>
  Number(
    (
      await testEnv.database.db
        .selectFrom('calls')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('settled', '=', true)
        .executeTakeFirstOrThrow()
    ).n,
  );
const stats = async () =>
  (await (await fetch(`${testEnv.carrier.url}/stats`)).json()) as {
    violations: Record<string, number>;
    gateways: Record<string, { peakLive: number }>;
  };

// shows: gateway.paced
test('four dialers together never exceed a gateway’s concurrency or its calls per second, and dial each attempt once', async () => {
  testEnv = await dialerTestEnv({ speed: 20, channels: 6 });
  const gateway = await testEnv.gateway({ callsPerSecond: 30, maxConcurrentCalls: 6 });
  const batchId = await testEnv.batch(gateway);
  await testEnv.calls(
    gateway,
    batchId,
    [1, 2, 7].flatMap((digit) => numbersEndingIn(digit, 20, digit * 100)),
  );

  const leftMs: number[] = [];
  const dialer = () => testEnv.dialer(notingDepartures(testEnv.provider(), leftMs));
  await Promise.all([dialer(), dialer(), dialer(), dialer()]);
  await until(async () => (await settledCount()) === 60);

  const { violations, gateways } = await stats();
  expect(violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
  expect(gateways[gateway.id]?.peakLive).toBeLessThanOrEqual(6);
  expect(mostInASecond(leftMs)).toBeLessThanOrEqual(30);
  const invites = testEnv.ledger().filter((line) => line.event === 'invite');
  expect(invites).toHaveLength(60);
  expect(new Set(invites.map((line) => line.callId)).size).toBe(60);
});

test('a small batch is not kept waiting by a large one on the same gateway', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 4 });
  const large = await testEnv.batch(gateway);
  const small = await testEnv.batch(gateway);
  await testEnv.calls(gateway, large, numbersEndingIn(7, 200, 1000));
  const few = await testEnv.calls(gateway, small, numbersEndingIn(7, 10, 5000));

  await testEnv.dialer();
  await until(() => testEnv.ledger().filter((line) => line.event === 'invite').length >= 30);

  const first = testEnv
    .ledger()
    .filter((line) => line.event === 'invite')
    .slice(0, 30);
  const ofSmall = first.filter((line) => few.includes(line.callId ?? '')).length;
  expect(ofSmall).toBeGreaterThanOrEqual(8);
  await testEnv.database.db.updateTable('batches').set({ paused: true }).execute();
});

test('a single call goes before the calls of a batch', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway({ callsPerSecond: 20, maxConcurrentCalls: 1 });
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 50, 1000));
  await testEnv.dialer();
  await until(() => testEnv.ledger().some((line) => line.event === 'invite'));

  const [single] = await testEnv.calls(gateway, null, ['+15550199907']);
  const before = testEnv.ledger().filter((line) => line.event === 'invite').length;
  await until(() => testEnv.ledger().some((line) => line.event === 'invite' && line.callId === single));

  const place = testEnv
    .ledger()
    .filter((line) => line.event === 'invite')
    .findIndex((line) => line.callId === single);
  expect(place - before).toBeLessThanOrEqual(4);
  await testEnv.database.db.updateTable('batches').set({ paused: true }).execute();
});

// shows: batch.own-concurrency
test('a batch keeps to its own maxConcurrentCalls', async () => {
  testEnv = await dialerTestEnv({ speed: 20 });
  const gateway = await testEnv.gateway({ callsPerSecond: 100, maxConcurrentCalls: 50 });
  await testEnv.calls(gateway, await testEnv.batch(gateway, { maxConcurrentCalls: 2 }), numbersEndingIn(7, 12));
  await testEnv.dialer();
  await until(async () => (await settledCount()) === 12);
  expect((await stats()).gateways[gateway.id]?.peakLive).toBeLessThanOrEqual(2);
});

test('a gateway whose credentials are refused is suspended without consuming an attempt, others go on, and it reopens', async () => {
  testEnv = await dialerTestEnv();
  const broken = await testEnv.gateway();
  const healthy = await testEnv.gateway();
  const fault = (body: object) =>
    fetch(`${testEnv.carrier.url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await fault({ gatewayId: broken.id, refuseCredentials: true });
  await testEnv.calls(broken, await testEnv.batch(broken), numbersEndingIn(7, 6, 100));
  const fine = await testEnv.calls(healthy, await testEnv.batch(healthy), numbersEndingIn(7, 8, 500));

  await testEnv.dialer();
  const admission = () =>
    testEnv.database.db
      .selectFrom('gateway_admission')
      .selectAll()
      .where('gateway_id', '=', broken.id)
      .executeTakeFirstOrThrow();
  await until(async () => (await admission()).suspended_since !== null);
  await until(async () => (await settledCount()) === fine.length);
  const consumed = await testEnv.database.db
    .selectFrom('calls')
    .select('id')
    .where('gateway_id', '=', broken.id)
    .where((eb) => eb.or([eb('attempts_made', '>', 0), eb('settled', '=', true)]))
    .execute();
  expect(consumed).toEqual([]);
  expect((await admission()).suspended_reason).toBe('credentials refused');

  await fault({ gatewayId: broken.id, refuseCredentials: null });
  await testEnv.database.db
    .updateTable('gateway_admission')
    .set({ probe_at: new Date(), next_claim_at: new Date() })
    .where('gateway_id', '=', broken.id)
    .execute();
  await until(async () => (await settledCount()) === 14);
  expect((await admission()).suspended_since).toBeNull();
});
