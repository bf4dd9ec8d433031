import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Schedule, startOf } from '../../domain/batch/schedule.js';
import { stretchAt } from '../../domain/call/time-zone.js';
import { aBatch, aTenant, csvOf, startingAt, type Tenant } from './fixtures.js';
import { queuedAttempts } from './play-dialer.js';
import { batchRow, queueOf, statusOf } from './batch-row.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
// Each test has its own server: months are skipped here, and would drag along what other tests left waiting.
beforeEach(async () => {
  testEnv = await timeSkippingTestEnv();
  tenant = await aTenant(testEnv.database.db);
});
afterEach(() => testEnv.close());

const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);

// shows: batch.state.scheduled
test('a scheduled batch makes no call before its time, which may lie behind a change of the clocks', async () => {
  const { db } = testEnv.database;
  // The evening before the clocks of Berlin change next, and the evening after: 23 or 25 hours lie between them.
  const changeMs = stretchAt('Europe/Berlin', Date.now() + 2 * 86_400_000).endsAtMs;
  const [before, startsAt] = [changeMs - 86_400_000, changeMs].map((ms) =>
    instantOf({ date: new Date(ms).toISOString().slice(0, 10), time: '18:00', timezone: 'Europe/Berlin' }),
  ) as [Date, Date];
  expect(Math.abs(startsAt.getTime() - before.getTime() - 86_400_000)).toBe(3_600_000);
  const batchId = await aBatch(db, tenant, csvOf(2), startingAt(startsAt));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  expect((await batchRow(testEnv.database, batchId)).records_uploaded).toBe(2);

  await testEnv.env.sleep(startsAt.getTime() - (await testEnv.env.currentTimeMs()) - 60_000);
  expect(await statusOf(testEnv.database, batchId)).toBe('scheduled');
  expect(await queuedAttempts(db, batchId)).toEqual([]);
  await testEnv.env.sleep(61_000);

  await becomes(batchId, 'running');
  await queueOf(testEnv, batchId, 2);
});

// shows: batch.state.started
test('a schedule that was moved while the batch waited is followed', async () => {
  const { db } = testEnv.database;
  const now = await testEnv.env.currentTimeMs();
  const batchId = await aBatch(db, tenant, csvOf(1), startingAt(new Date(now + 86_400_000)));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  const sooner = new Date(now + 3_600_000);
  await db.updateTable('batches').set({ starts_at: sooner }).where('id', '=', batchId).execute();
  await testEnv.workflows.signal(batchId, 'reconsider');

  await testEnv.env.sleep(3_601_000);

  await becomes(batchId, 'running');
});

function instantOf(schedule: Schedule): Date {
  const found = startOf(schedule, new Date());
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  return found.start.startsAt;
}
