import { afterEach, expect, test } from 'vitest';
import { mostInASecond, notingDepartures } from './departures.js';
import { aWorld, numbersEndingIn, until, type World } from './world.js';

let world: World;
afterEach(() => world.close());

const settledCount = async () =>
  Number(
    (
      await world.database.db
        .selectFrom('calls')
        .select((eb) => eb.fn.countAll().as('n'))
        .where('settled', '=', true)
        .executeTakeFirstOrThrow()
    ).n,
  );
const stats = async () =>
  (await (await fetch(`${world.carrier.url}/stats`)).json()) as {
    violations: Record<string, number>;
    gateways: Record<string, { peakLive: number }>;
  };

// shows: gateway.paced
test('four dialers together never exceed a gateway’s concurrency or its calls per second, and dial each attempt once', async () => {
  world = await aWorld({ speed: 20, channels: 6 });
  const gateway = await world.gateway({ callsPerSecond: 30, maxConcurrentCalls: 6 });
  const batchId = await world.batch(gateway);
  await world.calls(
    gateway,
    batchId,
    [1, 2, 7].flatMap((digit) => numbersEndingIn(digit, 20, digit * 100)),
  );

  const leftMs: number[] = [];
  const dialer = () => world.dialer(notingDepartures(world.provider(), leftMs));
  await Promise.all([dialer(), dialer(), dialer(), dialer()]);
  await until(async () => (await settledCount()) === 60);

  const { violations, gateways } = await stats();
  expect(violations).toEqual({ calls_per_second: 0, channels: 0, repeated: 0 });
  expect(gateways[gateway.id]?.peakLive).toBeLessThanOrEqual(6);
  expect(mostInASecond(leftMs)).toBeLessThanOrEqual(30);
  const invites = world.ledger().filter((line) => line.event === 'invite');
  expect(invites).toHaveLength(60);
  expect(new Set(invites.map((line) => line.callId)).size).toBe(60);
});

test('a small batch is not kept waiting by a large one on the same gateway', async () => {
  world = await aWorld({ speed: 20 });
  const gateway = await world.gateway({ callsPerSecond: 50, maxConcurrentCalls: 4 });
  const large = await world.batch(gateway);
  const small = await world.batch(gateway);
  await world.calls(gateway, large, numbersEndingIn(7, 200, 1000));
  const few = await world.calls(gateway, small, numbersEndingIn(7, 10, 5000));

  await world.dialer();
  await until(() => world.ledger().filter((line) => line.event === 'invite').length >= 30);

  const first = world
    .ledger()
    .filter((line) => line.event === 'invite')
    .slice(0, 30);
  const ofSmall = first.filter((line) => few.includes(line.callId ?? '')).length;
  expect(ofSmall).toBeGreaterThanOrEqual(8);
  await world.database.db.updateTable('batches').set({ paused: true }).execute();
});

test('a single call goes before the calls of a batch', async () => {
  world = await aWorld({ speed: 20 });
  const gateway = await world.gateway({ callsPerSecond: 20, maxConcurrentCalls: 1 });
  await world.calls(gateway, await world.batch(gateway), numbersEndingIn(7, 50, 1000));
  await world.dialer();
  await until(() => world.ledger().some((line) => line.event === 'invite'));

  const [single] = await world.calls(gateway, null, ['+15550199907']);
  const before = world.ledger().filter((line) => line.event === 'invite').length;
  await until(() => world.ledger().some((line) => line.event === 'invite' && line.callId === single));

  const place = world
    .ledger()
    .filter((line) => line.event === 'invite')
    .findIndex((line) => line.callId === single);
  expect(place - before).toBeLessThanOrEqual(4);
  await world.database.db.updateTable('batches').set({ paused: true }).execute();
});

// shows: batch.own-concurrency
test('a batch keeps to its own maxConcurrentCalls', async () => {
  world = await aWorld({ speed: 20 });
  const gateway = await world.gateway({ callsPerSecond: 100, maxConcurrentCalls: 50 });
  await world.calls(gateway, await world.batch(gateway, { maxConcurrentCalls: 2 }), numbersEndingIn(7, 12));
  await world.dialer();
  await until(async () => (await settledCount()) === 12);
  expect((await stats()).gateways[gateway.id]?.peakLive).toBeLessThanOrEqual(2);
});

test('a gateway whose credentials are refused is suspended without consuming an attempt, others go on, and it reopens', async () => {
  world = await aWorld();
  const broken = await world.gateway();
  const healthy = await world.gateway();
  const fault = (body: object) =>
    fetch(`${world.carrier.url}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await fault({ gatewayId: broken.id, refuseCredentials: true });
  await world.calls(broken, await world.batch(broken), numbersEndingIn(7, 6, 100));
  const fine = await world.calls(healthy, await world.batch(healthy), numbersEndingIn(7, 8, 500));

  await world.dialer();
  const admission = () =>
    world.database.db
      .selectFrom('gateway_admission')
      .selectAll()
      .where('gateway_id', '=', broken.id)
      .executeTakeFirstOrThrow();
  await until(async () => (await admission()).suspended_since !== null);
  await until(async () => (await settledCount()) === fine.length);
  const consumed = await world.database.db
    .selectFrom('calls')
    .select('id')
    .where('gateway_id', '=', broken.id)
    .where((eb) => eb.or([eb('attempts_made', '>', 0), eb('settled', '=', true)]))
    .execute();
  expect(consumed).toEqual([]);
  expect((await admission()).suspended_reason).toBe('credentials refused');

  await fault({ gatewayId: broken.id, refuseCredentials: null });
  await world.database.db
    .updateTable('gateway_admission')
    .set({ probe_at: new Date(), next_claim_at: new Date() })
    .where('gateway_id', '=', broken.id)
    .execute();
  await until(async () => (await settledCount()) === 14);
  expect((await admission()).suspended_since).toBeNull();
});
