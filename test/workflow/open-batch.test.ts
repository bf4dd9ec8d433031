import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { compareStores } from '../../activities/watchdog.js';
import { addCalls, batchToGrow } from '../../db/queries/batches/add-recipients.js';
import { callRecordAgain } from '../../db/queries/batches/call-again.js';
import { closeBatch } from '../../db/queries/batches/control.js';
import { batchRow, cancelBatch, queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, csvOf, startingAt, type Tenant } from './fixtures.js';
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
const workflow = (id: string) => testEnv.client.workflow.getHandle(id);
const isOver = async (id: string) => (await workflow(id).describe()).status.name !== 'RUNNING';

/** The API's part: recipients are added in one transaction with the order to start their workflow. */
async function add(batchId: string, count: number, from = 0): Promise<void> {
  const { db } = testEnv.database;
  await db.transaction().execute(async (tx) => {
    const batch = await batchToGrow(tx, tenant.accountId, batchId);
    const calls = Array.from({ length: count }, (_, index) => ({
      phoneNumber: `+1415666${String(1_000 + from + index)}`,
      metadataJson: '{}',
      id: String(from + index),
    }));
    expect(await addCalls(tx, batch!, calls, { names: [], priorities: null })).toBe(true);
  });
  testEnv.outbox.kick();
}

async function close(batchId: string): Promise<void> {
  await testEnv.database.db.transaction().execute((tx) => closeBatch(tx, tenant.accountId, batchId));
  testEnv.outbox.kick();
}

/** All that is queued is dialed and answered. */
async function answerAll(batchId: string, count: number): Promise<void> {
  const { db } = testEnv.database;
  await tell(testEnv, await endAttempts(db, await queueOf(testEnv, batchId, count), 'answered'));
}

// shows: recipients.open
test('an open batch with nothing left waits for recipients, calls those that come, and completes when it is closed', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(1), { open: true });
  await start(batchId);
  await answerAll(batchId, 1);
  await add(batchId, 3);
  await answerAll(batchId, 3);
  await testEnv.until(() => isOver(`${batchId}/added-1`));
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({ status: 'running', records_uploaded: 4 });
  await add(batchId, 2, 10);
  await close(batchId);
  await answerAll(batchId, 2);
  await becomes(batchId, 'completed');
  expect(await workflow(batchId).result()).toMatchObject({ status: 'completed' });
});

test('a batch that is not open waits for what was added while it ran, and completes by itself', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(1));
  await start(batchId);
  const ofFile = await queueOf(testEnv, batchId, 1);
  await add(batchId, 2);
  const all = await queueOf(testEnv, batchId, 3);
  await tell(testEnv, await endAttempts(testEnv.database.db, ofFile, 'answered'));
  await testEnv.until(() => isOver(`${batchId}/calls-1`));
  expect(await statusOf(testEnv.database, batchId)).toBe('running');
  const added = all.filter(({ callId }) => callId !== ofFile[0]?.callId);
  await tell(testEnv, await endAttempts(testEnv.database.db, added, 'answered'));
  await becomes(batchId, 'completed');
});

test('recipients that were added before the start are called with the batch', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(1), startingAt(new Date(Date.now() + 3_000)));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  await add(batchId, 2);
  await answerAll(batchId, 3);
  await becomes(batchId, 'completed');
});

test('a cancel ends added groups, too', async () => {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(1), { open: true });
  await start(batchId);
  await add(batchId, 2);
  await queueOf(testEnv, batchId, 3);
  await cancelBatch(testEnv, batchId);
  await becomes(batchId, 'cancelled');
  await testEnv.until(() => isOver(`${batchId}/added-1`));
  expect(await batchRow(testEnv.database, batchId)).toMatchObject({ open: false });
});

/** The API's part: recipients are called again in one transaction with the orders to workflows. */
async function callAgain(batchId: string, callIds: readonly string[]): Promise<void> {
  const { accountId } = tenant;
  for (const callId of callIds) {
    const again = await testEnv.database.db
      .transaction()
      .execute((tx) => callRecordAgain(tx, { accountId, batchId, callId }));
    expect(again.outcome).toBe('queued');
  }
  testEnv.outbox.kick();
}

// shows: recipients.again
test('a batch does not complete while recipients of its file or added ones are called again, and completes after', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1), { open: true });
  await start(batchId);
  await add(batchId, 2);
  const all = await queueOf(testEnv, batchId, 3);
  await tell(testEnv, await endAttempts(db, all, 'answered'));
  await testEnv.until(() => isOver(`${batchId}/calls-1`));
  await testEnv.until(() => isOver(`${batchId}/added-1`));
  await callAgain(
    batchId,
    all.map(({ callId }) => callId),
  );
  await close(batchId);
  await testEnv.until(async () => !(await isOver(`${batchId}/calls-1`)) && !(await isOver(`${batchId}/added-1`)));
  expect(await statusOf(testEnv.database, batchId)).toBe('running');
  await answerAll(batchId, 3);
  await becomes(batchId, 'completed');
});

// shows: recipients.open.lost
test('the watchdog builds an open batch and its added groups again when Temporal has lost both', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1), { open: true });
  await start(batchId);
  await add(batchId, 2);
  const queued = await queueOf(testEnv, batchId, 3);
  await workflow(batchId).terminate('lost');
  await workflow(`${batchId}/added-1`).terminate('lost');
  await sql`update batches set created_at = now() - interval '1 minute', updated_at = now() - interval '1 minute'
    where id = ${batchId}`.execute(db);
  const { workflows, database, outbox } = testEnv;
  await compareStores({ database, workflows, logger: quietLogger, kickOutbox: () => outbox.kick() });
  await testEnv.until(async () => !(await isOver(batchId)) && !(await isOver(`${batchId}/added-1`)));
  await close(batchId);
  await tell(testEnv, await endAttempts(db, queued, 'answered'));
  await becomes(batchId, 'completed');
});

test('a batch whose last added group died before it could tell is completed by the watchdog', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(1));
  await start(batchId);
  const ofFile = await queueOf(testEnv, batchId, 1);
  await add(batchId, 1);
  const all = await queueOf(testEnv, batchId, 2);
  await tell(testEnv, await endAttempts(db, ofFile, 'answered'));
  await testEnv.until(() => isOver(`${batchId}/calls-1`));
  await workflow(`${batchId}/added-1`).terminate('lost');
  await tell(
    testEnv,
    await endAttempts(
      db,
      all.filter(({ callId }) => callId !== ofFile[0]?.callId),
      'answered',
    ),
  );
  await sql`update batches set created_at = now() - interval '1 minute', updated_at = now() - interval '1 minute'
    where id = ${batchId}`.execute(db);
  const { workflows, database, outbox } = testEnv;
  await compareStores({ database, workflows, logger: quietLogger, kickOutbox: () => outbox.kick() });
  await becomes(batchId, 'completed');
});
