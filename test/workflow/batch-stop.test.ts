import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compareStores } from '../../activities/watchdog.js';
import { addCalls, batchToGrow } from '../../db/queries/batches/add-recipients.js';
import { changeBatch } from '../../db/queries/batches/change.js';
import { batchRow, queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts } from './play-dialer.js';
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
const inMs = (ms: number) => new Date(Date.now() + ms);

async function stopAt(batchId: string, at: Date | null): Promise<void> {
  const until = at?.toISOString() ?? null;
  await testEnv.database.db
    .transaction()
    .execute((tx) =>
      changeBatch(tx, tenant.accountId, batchId, { until }, { now: new Date(), unscheduledZone: 'UTC' }),
    );
  testEnv.outbox.kick();
}

async function reasonsOf(batchId: string): Promise<unknown[]> {
  const { rows } = await sql<object>`
    select status, reason, count(*)::integer as calls from calls where batch_id = ${batchId} group by 1, 2 order by 1`.execute(
    testEnv.database.db,
  );
  return rows;
}

const announced = async (batchId: string) =>
  (
    await sql<{ payload: Record<string, unknown> }>`
      select payload::json from webhook_deliveries where batch_id = ${batchId} and event = 'batchcall-completed'`.execute(
      testEnv.database.db,
    )
  ).rows.map(({ payload }) => payload);

const hook = { webhook_endpoint: 'https://example.com/hook', webhook_events: ['batchcall-completed'] };

// shows: batch.stop.completed
test('a batch stops at its instant, with who waits for a retry, for their time or in the queue, and added ones; it is announced once', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(3), {
    ...{ open: true, ...hook },
    ...{ retry_enabled: true, retry_on: ['missed'], retry_delays_seconds: [3_600] },
  });
  await start(batchId);
  const [first, ...others] = await queueOf(testEnv, batchId, 3);
  await tell(testEnv, await endAttempts(db, [first!], 'missed', 3_600));
  await tell(testEnv, await endAttempts(db, [others[0]!], 'answered'));
  await db.transaction().execute(async (tx) => {
    const batch = await batchToGrow(tx, tenant.accountId, batchId);
    const added = { phoneNumber: '+14156660001', metadataJson: '{}', notBefore: inMs(3_600_000).toISOString() };
    expect(await addCalls(tx, batch!, [added], { names: [], priorities: null })).toBe(true);
  });
  await stopAt(batchId, inMs(500));

  await becomes(batchId, 'completed');
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({ stopped_by: 'until', open: false });
  expect(await reasonsOf(batchId)).toEqual([
    { status: 'answered', reason: 'callee_hung_up', calls: 1 },
    { status: 'cancelled', reason: 'stopped_at_until', calls: 3 },
  ]);
  const tolds = await announced(batchId);
  expect(tolds).toMatchObject([{ status: 'completed', stoppedBy: 'until', counts: { answered: 1, cancelled: 3 } }]);
  expect(await testEnv.client.workflow.getHandle(batchId).result()).toMatchObject({ status: 'completed' });
});

test('an instant that is moved while the batch runs is followed, and one that is taken back stops nothing', async () => {
  const { db } = testEnv.database;
  const [later, never] = [
    await aBatch(db, tenant, csvOf(1), { stop_at: inMs(3_600_000) }),
    await aBatch(db, tenant, csvOf(1)),
  ];
  await Promise.all([start(later), start(never)]);
  await queueOf(testEnv, later, 1);
  const queued = await queueOf(testEnv, never, 1);
  await stopAt(never, inMs(3_000));
  await stopAt(never, null);
  await stopAt(later, inMs(3_500));
  await becomes(later, 'completed');
  expect(await statusOf(testEnv.database, never)).toBe('running');
  await tell(testEnv, await endAttempts(db, queued, 'answered'));
  await becomes(never, 'completed');
  expect(await batchRow(testEnv.database, never)).toMatchObject({ stopped_by: null });
});

test('a batch whose last answer was committed by a process that knows of no stop is stopped by the watchdog', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(3), { stop_after_answered: 1 });
  await start(batchId);
  const [first] = await queueOf(testEnv, batchId, 3);
  await tell(testEnv, await endAttempts(db, [first!], 'answered'));
  await sql`
    update batches set created_at = now() - interval '1 minute', updated_at = now() - interval '1 minute'
    where id = ${batchId}`.execute(db);
  expect(await statusOf(testEnv.database, batchId)).toBe('running');

  const found = await compareStores({
    ...{ database: testEnv.database, workflows: testEnv.workflows, logger: quietLogger },
    kickOutbox: () => testEnv.outbox.kick(),
  });
  expect(found.reminded).toBe(1);
  await becomes(batchId, 'completed');
  expect(await reasonsOf(batchId)).toEqual([
    { status: 'answered', reason: 'callee_hung_up', calls: 1 },
    { status: 'cancelled', reason: 'stopped_after_answered', calls: 2 },
  ]);
});
