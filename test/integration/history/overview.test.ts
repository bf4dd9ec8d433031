import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { overviewOf } from '../../../db/queries/accounts/overview.js';
import { findBatchCall } from '../../../db/queries/batches/batches.js';
import { batchStatuses } from '../../../domain/batch/batch-call.js';
import { aRunningBatch } from '../orchestration/running-batch.js';
import { blocksRead, historyTestEnv, type HistoryTestEnv, sizeInBlocks } from './history.js';

let testEnv: HistoryTestEnv;
beforeAll(async () => {
  testEnv = await historyTestEnv(30_000);
});
afterAll(() => testEnv.close());

const tables = ['calls', 'call_attempts', 'batch_waits', 'batches', 'webhook_deliveries', 'recent_dials'];

test('the overview of an account reads nothing of its finished calls', async () => {
  const { database, tenant } = testEnv;
  const read = await blocksRead(database, tables, () => overviewOf(database.db, tenant.accountId, batchStatuses));
  expect(read).toBeLessThan((await sizeInBlocks(database.db, 'calls')) / 4);
});

test('why a batch waits is told without reading its calls one by one, or those of the past', async () => {
  const { database, tenant } = testEnv;
  const { db } = database;
  const { batchId } = await aRunningBatch(db, tenant, 5_000);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select id, 1, account_id, batch_id, gateway_id, position, to_number, now() + (position % 2) * interval '3 hours'
    from calls where batch_id = ${batchId}`.execute(db);
  await sql`vacuum analyze`.execute(db);
  const read = await blocksRead(database, tables, () => findBatchCall(db, tenant.accountId, batchId));
  expect(read).toBeLessThan(400);
});
