import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { reportEndedAttempts } from '../../worker/report-ended-attempts.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from './play-dialer.js';
import { aWorld, batchRow, statusOf, type World } from './world.js';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await aTenant(world.database.db);
});

const start = (batchId: string) => world.door.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const fail = (error: unknown) => {
  throw error;
};

test('a file of five rows is parsed, called, and the batch completed when every outcome has been heard', async () => {
  const { db } = world.database;
  const batchId = await aBatch(db, tenant, csvOf(5));
  await start(batchId);
  await world.until(async () => (await queuedAttempts(db, batchId)).length === 5);
  expect(await batchRow(world.database, batchId)).toMatchObject({
    status: 'running',
    records_uploaded: 5,
    calls_per_workflow: 1,
  });

  const attempts = await queuedAttempts(db, batchId);
  await moveTo(db, attempts, 'answered');
  const ended = await endAttempts(db, attempts, 'answered');
  expect(await reportEndedAttempts(world.door, db, ended, fail)).toHaveLength(5);

  await world.until(async () => (await statusOf(world.database, batchId)) === 'completed');
  expect(await world.env.client.workflow.getHandle(batchId).result()).toEqual({ status: 'completed' });
});
