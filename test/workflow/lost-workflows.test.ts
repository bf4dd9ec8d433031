import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compareStores } from '../../activities/watchdog.js';
import { changeBatch } from '../../db/queries/batches/change.js';
import { batchRow, queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, csvOf, startingAt, type Tenant } from './fixtures.js';
import { endAttempts, queuedAttempts } from './play-dialer.js';
import { shareTestEnv } from './shared-env.js';
import { quietLogger, realTimeTestEnv, type WorkflowTestEnv } from './test-env.js';

let testEnv: WorkflowTestEnv;
let tenant: Tenant;
shareTestEnv(realTimeTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);
const child = (batchId: string, group = 1) => testEnv.client.workflow.getHandle(`${batchId}/calls-${group}`);

test('a child that is terminated is started again and loses no recipient', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  const [one, two] = await queueOf(testEnv, batchId, 2);
  await tell(testEnv, await endAttempts(db, [one!], 'missed', 2));
  await child(batchId).terminate('by an operator');
  await child(batchId, 2).cancel();

  const [again] = (await queueOf(testEnv, batchId, 2)).filter(({ callId }) => callId === one!.callId);
  expect(again!.attempt).toBe(2);
  await tell(testEnv, await endAttempts(db, [again!, two!], 'answered'));

  await becomes(batchId, 'completed');
});

test('a batch workflow that is terminated and started again goes on from Postgres', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(3));
  await start(batchId);
  const [one, ...others] = await queueOf(testEnv, batchId, 3);
  await tell(testEnv, await endAttempts(db, [one!], 'answered'));
  await testEnv.client.workflow.getHandle(batchId).terminate('by an operator');

  await start(batchId);
  await testEnv.until(async () => {
    const { status } = await child(batchId, 2).describe();
    return status.name === 'RUNNING';
  });
  expect(await queuedAttempts(db, batchId)).toEqual(others);
  await tell(testEnv, await endAttempts(db, others, 'answered'));

  await becomes(batchId, 'completed');
  expect((await batchRow(testEnv.database, batchId)).records_uploaded).toBe(3);
});

test('a batch workflow that dies with a start that was moved begins again with the new one', async () => {
  const { db } = testEnv.database;
  const now = new Date();
  const batchId = await aBatch(db, tenant, csvOf(2), startingAt(new Date(now.getTime() + 86_400_000)));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  const startsAt = new Date(now.getTime() + 1_000);
  const moved = await db.transaction().execute((tx) =>
    changeBatch(
      tx,
      tenant.accountId,
      batchId,
      {
        schedule: {
          date: startsAt.toISOString().slice(0, 10),
          time: startsAt.toISOString().slice(11, 16),
          ...{ startsAt, timezone: 'UTC' },
        },
      },
      { now, unscheduledZone: 'UTC' },
    ),
  );
  expect(moved).toBe('done');
  // The workflow is not told, and then it is gone.
  await db.deleteFrom('outbox').execute();
  await testEnv.client.workflow.getHandle(batchId).terminate('by an operator');

  await start(batchId);

  await becomes(batchId, 'running');
});

test('a workflow whose history has grown long goes on as a new run with all that it knew', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 1);
  const handle = child(batchId);
  const { runId } = await handle.describe();
  // Stale news by the megabyte: what counts for the server is the history's size as well as its length.
  const staleNews = Array.from({ length: 15_000 }, () => [first!.callId, 0, null]);

  await testEnv.until(async () => {
    await handle.signal('attemptsEnded', staleNews);
    await handle.query('progress'); // answered once the signal has been taken in
    return (await handle.describe()).runId !== runId;
  });

  expect(await handle.query('calls')).toEqual([{ callId: first!.callId, attempt: 1, dueAt: null }]);
  await tell(testEnv, await endAttempts(db, [first!], 'missed', 1));
  const [second] = await queueOf(testEnv, batchId, 1);
  expect(second!.attempt).toBe(2);
  await tell(testEnv, await endAttempts(db, [second!], 'answered'));
  await becomes(batchId, 'completed');
});

test('a batch whose workflows never heard that its last calls ended is completed by the watchdog', async () => {
  const { database, workflows, outbox } = testEnv;
  const { db } = database;
  const batchId = await aBatch(db, tenant, csvOf(2));
  await start(batchId);
  await endAttempts(db, await queueOf(testEnv, batchId, 2), 'answered'); // nobody is told
  await sql`update batches set created_at = now() - interval '1 minute', updated_at = now() - interval '1 minute'
    where id = ${batchId}`.execute(db);

  await compareStores({ database, workflows, logger: quietLogger, kickOutbox: () => outbox.kick() });

  await becomes(batchId, 'completed');
  await testEnv.until(async () => (await child(batchId).describe()).status.name === 'COMPLETED');
});
