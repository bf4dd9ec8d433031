import { afterAll, beforeAll, expect, test } from 'vitest';
import { statusOf, tell } from './batch-row.js';
import { aBatch, aTenant, csvOf } from './fixtures.js';
import { endAttempts, queuedAttempts } from './play-dialer.js';
import { realTimeTestEnv, type WorkflowTestEnv } from './test-env.js';

let testEnv: WorkflowTestEnv;
beforeAll(async () => {
  testEnv = await realTimeTestEnv({ callsPerWorkflow: 100 });
});
afterAll(() => testEnv.close());

test('a large batch is queued just ahead of the dialer, and its first calls in the order of the file', async () => {
  const { db } = testEnv.database;
  const tenant = await aTenant(db);
  // A hundred calls to a workflow: ten of the fifteen fill the thousand that is kept ahead.
  const batchId = await aBatch(db, tenant, csvOf(1_500));
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  await testEnv.until(async () => (await queuedAttempts(db, batchId)).length === 1_000);
  const ahead = await queuedAttempts(db, batchId);
  expect(ahead.at(-1)!.position).toBe(999);

  // One child has all but a tenth of its calls ended: it gives its place to the next, and keeps the rest.
  await tell(testEnv, await endAttempts(db, ahead.slice(10, 100), 'answered'));
  await testEnv.until(async () => (await queuedAttempts(db, batchId)).length === 1_000 - 90 + 100);

  // From here on everything ends as soon as it is queued, a tenth of it only at the second attempt.
  await testEnv.until(async () => {
    const queued = await queuedAttempts(db, batchId);
    const once = queued.filter(({ position, attempt }) => position % 10 === 0 && attempt === 1);
    await tell(testEnv, await endAttempts(db, once, 'missed', 0));
    await tell(
      testEnv,
      await endAttempts(
        db,
        queued.filter((attempt) => !once.includes(attempt)),
        'answered',
      ),
    );
    return (await statusOf(testEnv.database, batchId)) === 'completed';
  });
  const { attempts } = await db
    .selectFrom('batch_counters')
    .select('attempts')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  // Of every tenth call, nine had been answered before.
  expect(Number(attempts)).toBe(1_641);
});
