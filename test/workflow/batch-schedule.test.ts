import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Schedule, startOf } from '../../domain/batch/schedule.js';
import { stretchAt } from '../../domain/call/time-zone.js';
import { aBatch, aTenant, csvOf, startingAt, type Tenant } from './fixtures.js';
import { queuedAttempts } from './play-dialer.js';
import { batchRow, queueOf, statusOf } from './batch-row.js';
import { aWorld, type SkippingWorld } from './world.js';

let world: SkippingWorld;
let tenant: Tenant;
// A server of its own for each test: months are skipped here, and would drag along what other tests left waiting.
beforeEach(async () => {
  world = await aWorld();
  tenant = await aTenant(world.database.db);
});
afterEach(() => world.close());

const start = (batchId: string) =>
  world.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  world.until(async () => (await statusOf(world.database, batchId)) === status);

// shows: batch.state.scheduled
test('a scheduled batch calls nobody before its time, which may lie behind a change of the clocks', async () => {
  const { db } = world.database;
  // The evening before the clocks of Berlin change next, and the evening after: 23 or 25 hours lie between them.
  const changeMs = stretchAt('Europe/Berlin', Date.now() + 2 * 86_400_000).endsAtMs;
  const [before, startsAt] = [changeMs - 86_400_000, changeMs].map((ms) =>
    instantOf({ date: new Date(ms).toISOString().slice(0, 10), time: '18:00', timezone: 'Europe/Berlin' }),
  ) as [Date, Date];
  expect(Math.abs(startsAt.getTime() - before.getTime() - 86_400_000)).toBe(3_600_000);
  const batchId = await aBatch(db, tenant, csvOf(2), startingAt(startsAt));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  expect((await batchRow(world.database, batchId)).records_uploaded).toBe(2);

  await world.env.sleep(startsAt.getTime() - (await world.env.currentTimeMs()) - 60_000);
  expect(await statusOf(world.database, batchId)).toBe('scheduled');
  expect(await queuedAttempts(db, batchId)).toEqual([]);
  await world.env.sleep(61_000);

  await becomes(batchId, 'running');
  await queueOf(world, batchId, 2);
});

// shows: batch.state.started
test('a schedule that was moved while the batch waited is followed', async () => {
  const { db } = world.database;
  const now = await world.env.currentTimeMs();
  const batchId = await aBatch(db, tenant, csvOf(1), startingAt(new Date(now + 86_400_000)));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  const sooner = new Date(now + 3_600_000);
  await db.updateTable('batches').set({ starts_at: sooner }).where('id', '=', batchId).execute();
  await world.workflows.signal(batchId, 'reconsider');

  await world.env.sleep(3_601_000);

  await becomes(batchId, 'running');
});

function instantOf(schedule: Schedule): Date {
  const found = startOf(schedule, new Date());
  if ('problems' in found) throw new Error(JSON.stringify(found.problems));
  return found.start.startsAt;
}
