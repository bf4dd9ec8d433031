import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { batchRow, queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';
import { endAttempts, queuedAttempts } from './play-dialer.js';
import { aRealWorld, type World } from './world.js';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await aRealWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  tenant = await aTenant(world.database.db);
});

const start = (batchId: string) => world.door.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  world.until(async () => (await statusOf(world.database, batchId)) === status);
const child = (batchId: string, group = 1) => world.client.workflow.getHandle(`${batchId}/calls-${group}`);

test('a child that is terminated is started again and loses nobody', async () => {
  const { db } = world.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  const [one, two] = await queueOf(world, batchId, 2);
  await tell(world, await endAttempts(db, [one!], 'missed', 2));
  await child(batchId).terminate('by an operator');
  await child(batchId, 2).cancel();

  const [again] = (await queueOf(world, batchId, 2)).filter(({ callId }) => callId === one!.callId);
  expect(again!.number).toBe(2);
  await tell(world, await endAttempts(db, [again!, two!], 'answered'));

  await becomes(batchId, 'completed');
});

test('a batch workflow that is terminated and started again goes on from Postgres', async () => {
  const { db } = world.database;
  const batchId = await aBatch(db, tenant, csvOf(3));
  await start(batchId);
  const [one, ...others] = await queueOf(world, batchId, 3);
  await tell(world, await endAttempts(db, [one!], 'answered'));
  await world.client.workflow.getHandle(batchId).terminate('by an operator');

  await start(batchId);
  await world.until(async () => {
    const { status } = await child(batchId, 2).describe();
    return status.name === 'RUNNING';
  });
  expect(await queuedAttempts(db, batchId)).toEqual(others);
  await tell(world, await endAttempts(db, others, 'answered'));

  await becomes(batchId, 'completed');
  expect((await batchRow(world.database, batchId)).records_uploaded).toBe(3);
});
