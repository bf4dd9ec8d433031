import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.js';
import { aBatch, csvOf, startingAt, type Tenant } from './fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from './play-dialer.js';
import { batchRow, cancelBatch, queueOf, statusOf, tell } from './batch-row.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

const lines: string[] = [];
let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(
  () =>
    timeSkippingTestEnv({
      logger: createLogger('worker', 'info', { write: (line) => void lines.push(line) }),
    }),
  (env, account) => {
    [testEnv, tenant] = [env, account];
  },
);

const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);
const resultOf = (batchId: string): Promise<unknown> => testEnv.client.workflow.getHandle(batchId).result();
const callStatuses = async (batchId: string) =>
  (
    await testEnv.database.db
      .selectFrom('calls')
      .select('status')
      .where('batch_id', '=', batchId)
      .orderBy('position')
      .execute()
  ).map(({ status }) => status);
const childrenRunning = async (batchId: string) => {
  const { status } = await testEnv.client.workflow.getHandle(`${batchId}/calls-1`).describe();
  return status.name === 'RUNNING';
};

// shows: batches.cancel.any-state
test('a cancel while the file is parsed: nothing of it is stored, and the batch ends cancelled', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(20_000).replaceAll('+1202555', '+44207946'));
  // As the API does it, before the workflow has even begun.
  await db
    .updateTable('batches')
    .set({ status: 'cancelling', cancel_mode: 'graceful' })
    .where('id', '=', batchId)
    .execute();
  await start(batchId);

  await becomes(batchId, 'cancelled');
  expect(await callStatuses(batchId)).toEqual([]);
  expect(await resultOf(batchId)).toMatchObject({ status: 'cancelled' });
});

test('a cancel that comes in the middle of parsing rolls back what was stored', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(8_000));
  await start(batchId);
  await cancelBatch(testEnv, batchId);

  await becomes(batchId, 'cancelled');
  expect(new Set(await callStatuses(batchId)).size).toBeLessThanOrEqual(1);
  expect(await queuedAttempts(db, batchId)).toEqual([]);
});

test('each call that a cancel drops has one line in the log, with its ids and the reason, and nothing of the person', async () => {
  const { db } = testEnv.database;
  const soon = new Date((await testEnv.env.currentTimeMs()) + 86_400_000);
  const batchId = await aBatch(db, tenant, csvOf(3), startingAt(soon));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  await cancelBatch(testEnv, batchId);
  await becomes(batchId, 'cancelled');

  const calls = await db.selectFrom('calls').select(['id', 'to_number']).where('batch_id', '=', batchId).execute();
  const told = lines.filter((line) => line.includes(batchId) && line.includes('"reason":"batch_cancelled"'));
  const read = told.map((line) => JSON.parse(line) as { callId: string });
  expect(read.toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toMatchObject(
    calls
      .map(({ id }) => ({
        ...{ level: 'info', accountId: tenant.accountId, batchId, callId: `call_${id}` },
        ...{ reason: 'batch_cancelled', msg: 'a call ended without being dialed' },
      }))
      .toSorted((a, b) => (a.callId < b.callId ? -1 : 1)),
  );
  for (const { to_number: number } of calls) expect(told.join('')).not.toContain(number.slice(1));
});

// shows: batches.cancel.any-state
test('a cancel of a scheduled batch settles every call and ends it at once', async () => {
  const batchId = await aBatch(
    testEnv.database.db,
    tenant,
    csvOf(3),
    startingAt(new Date((await testEnv.env.currentTimeMs()) + 86_400_000)),
  );
  await start(batchId);
  await becomes(batchId, 'scheduled');

  await cancelBatch(testEnv, batchId);

  await becomes(batchId, 'cancelled');
  expect(await callStatuses(batchId)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect((await batchRow(testEnv.database, batchId)).started_at).toBeNull();
});

// shows: batch.state.cancelled, batches.cancel.graceful
test('a graceful cancel lets live calls finish, settles what is queued or claimed, and then ends', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(4));
  await start(batchId);
  const [live, claimed] = await queueOf(testEnv, batchId, 4);
  await moveTo(db, [live!], 'answered');
  await moveTo(db, [claimed!], 'claimed');

  await cancelBatch(testEnv, batchId);
  await testEnv.until(async () => (await callStatuses(batchId)).filter((each) => each === 'cancelled').length === 3);
  expect(await statusOf(testEnv.database, batchId)).toBe('cancelling');
  const left = await db
    .selectFrom('call_attempts')
    .select(['call_id', 'hang_up_at'])
    .where('batch_id', '=', batchId)
    .execute();
  expect(left).toEqual([{ call_id: live!.callId, hang_up_at: null }]);

  const ended = await endAttempts(db, [live!], 'answered');
  await testEnv.env.sleep(10_000);
  await becomes(batchId, 'cancelled');
  expect((await callStatuses(batchId))[0]).toBe('answered');
  await testEnv.until(async () => !(await childrenRunning(batchId)));
  // The workflow that carried it is gone, rightly: its call is settled.
  expect(await tell(testEnv, ended)).toHaveLength(1);
});

// shows: batches.cancel.immediate
test('an immediate cancel orders live calls to be hung up, and waits until they are', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 2);
  await moveTo(db, attempts, 'dialing');

  await cancelBatch(testEnv, batchId, 'immediate');

  await testEnv.until(
    async () =>
      (
        await db
          .selectFrom('call_attempts')
          .select('hang_up_reason')
          .where('batch_id', '=', batchId)
          .where('hang_up_at', 'is not', null)
          .execute()
      ).filter(({ hang_up_reason: reason }) => reason === 'ended_by_api').length === 2,
  );
  expect(await statusOf(testEnv.database, batchId)).toBe('cancelling');
  await endAttempts(db, attempts, 'abandoned');
  await testEnv.env.sleep(10_000);
  // No call was dropped that had not been made, and no retry was planned.
  await becomes(batchId, 'completed');
});

test('a graceful cancel can be made immediate while live calls are awaited', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 1);
  await moveTo(db, attempts, 'answered');
  await cancelBatch(testEnv, batchId);
  await testEnv.env.sleep(60_000);
  const ordered = () =>
    db
      .selectFrom('call_attempts')
      .select('call_id')
      .where('batch_id', '=', batchId)
      .where('hang_up_at', 'is not', null)
      .execute();
  expect(await ordered()).toEqual([]);

  await cancelBatch(testEnv, batchId, 'immediate');

  await testEnv.until(async () => (await ordered()).length === 1);
  await endAttempts(db, attempts, 'answered');
  await testEnv.env.sleep(10_000);
  await becomes(batchId, 'completed');
});

// shows: batches.cancel.end
test('a cancel drops retries that are waiting, and the batch is cancelled for it', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  const [one, two] = await queueOf(testEnv, batchId, 2);
  await tell(testEnv, await endAttempts(db, [one!], 'answered'));
  await tell(testEnv, await endAttempts(db, [two!], 'missed', 3_600, new Date(await testEnv.env.currentTimeMs())));

  await cancelBatch(testEnv, batchId);

  await becomes(batchId, 'cancelled');
  expect(await callStatuses(batchId)).toEqual(['answered', 'cancelled']);
  await testEnv.env.sleep(7_200_000);
  expect(await queuedAttempts(db, batchId)).toEqual([]);
});

test('a retry that an outcome loses to a cancel makes the batch cancelled as well', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 1);
  await moveTo(db, attempts, 'dialing');
  await cancelBatch(testEnv, batchId);
  await endAttempts(db, attempts, 'missed', 3_600);

  await testEnv.env.sleep(10_000);

  await becomes(batchId, 'cancelled');
  expect(await callStatuses(batchId)).toEqual(['missed']);
});

test('a cancel whose signal comes before the workflow is heard when the workflow starts', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await db
    .updateTable('batches')
    .set({ status: 'cancelling', cancel_mode: 'graceful' })
    .where('id', '=', batchId)
    .execute();
  expect(await testEnv.workflows.signal(batchId, 'cancel')).toBe('not_found');

  await start(batchId);

  await becomes(batchId, 'cancelled');
});

// shows: batches.cancel.end
test('a cancel after the last outcome drops nothing: the batch is completed', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  const attempts = await queueOf(testEnv, batchId, 2);
  await endAttempts(db, attempts, 'answered');

  await cancelBatch(testEnv, batchId);

  await becomes(batchId, 'completed');
});

test('a batch of thousands is cancelled to the last of them, with counters that say so, and a log that stays readable', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(5_000));
  await start(batchId);
  await testEnv.until(async () => (await queuedAttempts(db, batchId)).length >= 1_000);

  await cancelBatch(testEnv, batchId);

  await becomes(batchId, 'cancelled');
  expect(await queuedAttempts(db, batchId)).toEqual([]);
  const counters = await db.selectFrom('batch_counters').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  expect(counters).toMatchObject({ pending: 0, cancelled: 5_000 });
  // The log of a million must not grow by a million lines.
  const told = lines
    .filter((line) => line.includes(batchId))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(told.filter(({ level, reason }) => level === 'info' && reason === 'batch_cancelled')).toHaveLength(1_000);
  expect(told).toContainEqual(expect.objectContaining({ msg: 'calls ended without being dialed', calls: 5_000 }));
});
