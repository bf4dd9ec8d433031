import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueOf, tell } from './batch-row.js';
import { aBatch, aTenant, csvOf, type Tenant } from './fixtures.js';
import { endAttempts } from './play-dialer.js';
import { realTimeTestEnv, type WorkflowTestEnv } from './test-env.js';

let testEnv: WorkflowTestEnv;
let tenant: Tenant;
beforeAll(async () => {
  testEnv = await realTimeTestEnv();
  tenant = await aTenant(testEnv.database.db);
});
afterAll(() => testEnv.close());

const db = () => testEnv.database.db;
const workflow = (batchId: string) => testEnv.client.workflow.getHandle(batchId);

/** One round, as the schedule starts it. */
async function watch(): Promise<void> {
  const id = `watchdog-${randomUUID()}`;
  await testEnv.workflows.start('watchdog', id, {});
  await testEnv.client.workflow.getHandle(id).result();
}

/** What the Temporal UI shows as the details of a workflow. */
async function details(batchId: string): Promise<string> {
  const metadata: { currentDetails?: string } = await workflow(batchId).query('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}

async function tellings(batchId: string): Promise<number> {
  const { events = [] } = await workflow(batchId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes?.signalName === 'waits')
    .length;
}

const lastToldAgo = (batchId: string, interval: string) =>
  sql`update told_waits set told_at = now() - ${interval}::interval where batch_id = ${batchId}`.execute(db());
const pause = (batchId: string, paused: boolean) =>
  sql`update batches set paused = ${paused} where id = ${batchId}`.execute(db());

// shows: recipients.waiting-temporal
test('the Temporal UI says why a batch waits, is told when the reason changes, and not more than once a minute', async () => {
  await sql`update gateways set calls_per_second = 50, max_concurrent_calls = 50`.execute(db());
  const batchId = await aBatch(db(), tenant, csvOf(3));
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  const queued = await queueOf(testEnv, batchId, 3);
  await watch();
  expect(await tellings(batchId), 'nothing of note holds it').toBe(0);

  await pause(batchId, true);
  await watch();
  expect(await details(batchId)).toMatch(
    /^running: 3 calls in the file; at \S+Z: 3 pending\. At \S+Z: 3 wait because the batch call is paused\.$/,
  );
  await lastToldAgo(batchId, '61 seconds');
  await watch();
  expect(await tellings(batchId), 'the same reason').toBe(1);

  await pause(batchId, false);
  await lastToldAgo(batchId, '30 seconds');
  await watch();
  expect(await tellings(batchId), 'within a minute').toBe(1);
  await lastToldAgo(batchId, '61 seconds');
  await watch();
  expect(await details(batchId)).toMatch(/ At \S+Z: 3 are next to be dialed\.$/);

  await tell(testEnv, await endAttempts(db(), queued.slice(0, 1), 'answered'));
  await lastToldAgo(batchId, '2 hours');
  await watch();
  expect(await details(batchId), 'counts are an hour old at most').toMatch(/: 2 pending, 1 answered, 1 human\. At/);

  // A batch that has run for thirty days is told at most every 86 minutes.
  await sql`update batches set started_at = now() - interval '30 days' where id = ${batchId}`.execute(db());
  await pause(batchId, true);
  await lastToldAgo(batchId, '80 minutes');
  await watch();
  expect(await tellings(batchId)).toBe(3);
  await lastToldAgo(batchId, '90 minutes');
  await watch();
  expect(await tellings(batchId)).toBe(4);

  await tell(testEnv, await endAttempts(db(), queued.slice(1), 'answered'));
  expect(await workflow(batchId).result()).toMatchObject({ status: 'completed', counts: { answered: 3, pending: 0 } });
  await watch();
  expect(await tellings(batchId)).toBe(4);
});
