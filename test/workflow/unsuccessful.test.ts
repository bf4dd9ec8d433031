import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { settleAnalysis, storeAnalysis } from '../../db/queries/calls/analyses.js';
import { queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts } from './play-dialer.js';
import { shareTestEnv } from './shared-env.js';
import { realTimeTestEnv, type WorkflowTestEnv } from './test-env.js';

let testEnv: WorkflowTestEnv;
let tenant: Tenant;
shareTestEnv(realTimeTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);

/** A batch whose recipients were answered, and wait for their analyses. @returns also their ids, in the order of the file */
async function anAnswered(count: number) {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, csvOf(count), {});
  await sql`
    update batches set retry_enabled = true, retry_on = '{unsuccessful}', retry_delays_seconds = '{1}'
    where id = ${batchId}`.execute(db);
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  const queued = await queueOf(testEnv, batchId, count);
  const ended = await endAttempts(db, queued, 'answered');
  const ids = queued.map(({ callId }) => callId);
  await sql`
    update calls set answered_by = 'human', analysis_until = clock_timestamp() + interval '1 hour' where batch_id = ${batchId}`.execute(
    db,
  );
  await tell(testEnv, ended);
  return { batchId, ids };
}

async function analyzed(callId: string, attempt: number, success: boolean): Promise<void> {
  const conversation = { accountId: tenant.accountId, callId, attempt };
  await storeAnalysis(testEnv.database.db, conversation, { kept: success }, success);
  await settleAnalysis(testEnv.database.db, conversation, null);
  testEnv.outbox.kick();
}

const waitsForAnalyses = (batchId: string) =>
  testEnv.until(async () => {
    const { events } = await testEnv.client.workflow.getHandle(batchId).fetchHistory();
    const summaries = (events ?? []).map(({ userMetadata }) => String(userMetadata?.summary?.data ?? ''));
    return summaries.some((summary) => summary.includes('analyses'));
  });

// shows: retry.unsuccessful
test('a batch does not complete before the last analysis, and calls those again who were no success', async () => {
  const { batchId, ids } = await anAnswered(3);
  await waitsForAnalyses(batchId);
  expect(await statusOf(testEnv.database, batchId)).toBe('running');
  await Promise.all(ids.map((id, index) => analyzed(id, 1, index > 0)));
  const again = await queueOf(testEnv, batchId, 1);
  expect(again).toMatchObject([{ callId: ids[0], attempt: 2 }]);
  await tell(testEnv, await endAttempts(testEnv.database.db, again, 'answered'));
  await becomes(batchId, 'completed');
});

test('a batch completes with the last of several analyses that settle at once', async () => {
  const { batchId, ids } = await anAnswered(4);
  await waitsForAnalyses(batchId);
  await Promise.all(ids.map((id) => analyzed(id, 1, true)));
  await becomes(batchId, 'completed');
});
