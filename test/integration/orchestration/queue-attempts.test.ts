import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { type QueueAnswer, queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { endAttempts, queuedAttempts } from '../../workflow/play-dialer.js';
import { until } from '../../workflow/test-env.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});
beforeEach(async () => {
  tenant = await aTenant(database.db);
});

const nothingOdd: QueueAnswer = { later: [], settled: [], astray: [] };

async function queue(batchId: string, callIds: readonly string[], attempt = 1, now = new Date()): Promise<QueueAnswer> {
  const attempts = callIds.map((callId) => [callId, attempt] as const);
  return queueAttempts(database.db, { accountId: tenant.accountId, batchId, attempts }, now);
}
const gatewaySleepsUntil = async () =>
  (
    await database.db
      .selectFrom('gateway_admission')
      .select('next_claim_at')
      .where('gateway_id', '=', tenant.gatewayId)
      .executeTakeFirstOrThrow()
  ).next_claim_at;

test('what is queued twice is in the queue once, and its gateway is woken', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 3);
  await database.db.updateTable('gateway_admission').set({ next_claim_at: 'infinity' }).execute();

  expect(await queue(batchId, callIds)).toEqual(nothingOdd);
  expect(await queue(batchId, callIds)).toEqual(nothingOdd);

  expect((await queuedAttempts(database.db, batchId)).map(({ callId }) => callId)).toEqual(callIds);
  expect((await gatewaySleepsUntil()).getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('an attempt is queued only after all attempts before it have ended', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 2);

  expect(await queue(batchId, callIds, 2)).toEqual({ ...nothingOdd, astray: [0, 1] });
  expect(await queuedAttempts(database.db, batchId)).toEqual([]);

  await queue(batchId, callIds.slice(0, 1));
  await endAttempts(database.db, await queuedAttempts(database.db, batchId), 'missed', 60);
  expect(await queue(batchId, callIds, 2)).toEqual({ ...nothingOdd, astray: [1] });
  expect(await queue(batchId, callIds.slice(0, 1), 1)).toEqual({ ...nothingOdd, astray: [0] });
});

test('a settled call is not queued, and its workflow is told so', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 2);
  await database.db.updateTable('calls').set({ status: 'answered' }).where('id', '=', callIds[1]!).execute();

  expect(await queue(batchId, callIds)).toEqual({ ...nothingOdd, settled: [1] });
  expect(await queuedAttempts(database.db, batchId)).toHaveLength(1);
});

test.each(['cancelling', 'scheduled'] as const)('nothing is queued for a batch that is %s', async (status) => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 2);
  await database.db.updateTable('batches').set({ status, cancel_mode: 'graceful' }).where('id', '=', batchId).execute();

  expect(await queue(batchId, callIds)).toEqual(nothingOdd);
  expect(await queuedAttempts(database.db, batchId)).toEqual([]);
});

test('another account’s calls are not queued', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 1);
  const stranger = await aTenant(database.db);
  await queueAttempts(
    database.db,
    { accountId: stranger.accountId, batchId, attempts: [[callIds[0]!, 1]] },
    new Date(),
  );
  expect(await queuedAttempts(database.db, batchId)).toEqual([]);
});

const wednesdayNight = new Date('2027-01-06T22:00:00Z');
const office = { from: '09:00', until: '17:00', daysOfWeek: [1, 2, 3, 4, 5] };

// shows: window.hours
test('outside the calling window an attempt waits for the next opening, and knows when that closes', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 1, {
    calling_window: JSON.stringify({ ...office, timezone: 'UTC' }),
  });

  const answer = await queue(batchId, callIds, 1, wednesdayNight);

  expect(answer).toEqual({ ...nothingOdd, later: [0] });
  expect(await dueTimes(batchId)).toEqual([['2027-01-07T09:00:00.000Z', '2027-01-07T17:00:00.000Z']]);
});

// shows: window.recipient
test('a window by the recipients’ clocks opens for each callee in all of its own zones, else in the batch’s', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 3, {
    calling_window: JSON.stringify({ ...office, timezone: 'recipient' }),
    timezone: 'Asia/Calcutta',
  });
  const zones = [['America/New_York', 'America/Los_Angeles'], ['Europe/Berlin'], null];
  for (const [index, timeZones] of zones.entries()) {
    await database.db.updateTable('calls').set({ time_zones: timeZones }).where('id', '=', callIds[index]!).execute();
  }

  await queue(batchId, callIds, 1, wednesdayNight);

  expect(await dueTimes(batchId)).toEqual([
    // From nine in Los Angeles to five in New York.
    ['2027-01-07T17:00:00.000Z', '2027-01-07T22:00:00.000Z'],
    ['2027-01-07T08:00:00.000Z', '2027-01-07T16:00:00.000Z'],
    ['2027-01-07T03:30:00.000Z', '2027-01-07T11:30:00.000Z'],
  ]);
});

test('a cancel that is being committed is waited for, and then nothing is queued', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 2);
  let queueing: Promise<QueueAnswer> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('batches')
      .set({ status: 'cancelling', cancel_mode: 'graceful' })
      .where('id', '=', batchId)
      .execute();
    let over = false;
    queueing = queue(batchId, callIds).finally(() => (over = true));
    await until(async () => over || (await somebodyWaitsForALock()));
  });

  expect(await queueing).toEqual(nothingOdd);
  expect(await queuedAttempts(database.db, batchId)).toEqual([]);
});

const somebodyWaitsForALock = async () => (await lockWaits(database.pool)) > 0;

test('however a cancel and the queueing of attempts run into each other, nothing settled is left in the queue', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { batchId, callIds } = await aRunningBatch(database.db, tenant, 200);
    const halves = [callIds.slice(0, 100), callIds.slice(100).toReversed()];
    const cancel = async () => {
      await database.db
        .updateTable('batches')
        .set({ status: 'cancelling', cancel_mode: 'graceful' })
        .where('id', '=', batchId)
        .execute();
      return cancelStep(database.db, tenant.accountId, batchId);
    };
    const [progress] = await Promise.all([cancel(), ...halves.map((half) => queue(batchId, half))]);

    expect(progress).toMatchObject({ settled: 200, more: false, unsettled: false });
    expect(await queuedAttempts(database.db, batchId)).toEqual([]);
  }
});

async function dueTimes(batchId: string): Promise<(string | undefined)[][]> {
  const rows = await database.db
    .selectFrom('call_attempts')
    .select(['due_at', 'not_after'])
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
  return rows.map((row) => [row.due_at.toISOString(), row.not_after.toISOString()]);
}

test('an attempt that is queued while the calling window is changed goes by the new one', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 1, {
    calling_window: JSON.stringify({ ...office, timezone: 'UTC' }),
  });
  const change = await database.pool.connect();
  await change.query('begin');
  await change.query(`update batches set calling_window = calling_window || '{"from": "11:00"}' where id = $1`, [
    batchId,
  ]);

  const queueing = queue(batchId, callIds, 1, wednesdayNight);
  await until(somebodyWaitsForALock);
  await change.query('commit');
  change.release();

  expect(await queueing).toEqual({ ...nothingOdd, later: [0] });
  expect(await dueTimes(batchId)).toEqual([['2027-01-07T11:00:00.000Z', '2027-01-07T17:00:00.000Z']]);
});
