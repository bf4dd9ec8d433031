import { expect, test } from 'vitest';
import { deleteBatch } from '../../db/queries/batches/delete.js';
import { queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { endAttempts } from './play-dialer.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(timeSkippingTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const left = async (batchId: string) => {
  const { rows } = await testEnv.database.pool.query<Record<string, number>>(
    `select (select count(*)::int from calls where batch_id = $1) as calls,
       (select count(*)::int from call_attempts where batch_id = $1) as attempts,
       (select count(*)::int from rejected_rows where batch_id = $1) as rejected,
       (select count(*)::int from batch_deletions where batch_id = $1) as deletions`,
    [batchId],
  );
  return rows[0]!;
};
const nothing = { calls: 0, attempts: 0, rejected: 0, deletions: 0 };
const remove = (batchId: string) =>
  testEnv.database.db.transaction().execute((tx) => deleteBatch(tx, tenant.accountId, batchId));

test('a batch that ran is deleted with everything that it left', async () => {
  const { db } = testEnv.database;
  const batchId = await aBatch(db, tenant, `${csvOf(3)}\n12\n`);
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  await tell(testEnv, await endAttempts(db, await queueOf(testEnv, batchId, 3), 'answered'));
  await testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === 'completed');
  expect(await left(batchId)).toEqual({ calls: 3, attempts: 3, rejected: 1, deletions: 0 });

  expect(await remove(batchId)).toMatchObject({ status: 'completed', records: 3, rejected: 1 });
  await testEnv.outbox.sendDue();

  await testEnv.until(async () => (await left(batchId)).deletions === 0);
  expect(await left(batchId)).toEqual(nothing);
});

test('a removal that fails in the middle goes on with the rest', async () => {
  const { pool, db } = testEnv.database;
  const batchId = await aBatch(db, tenant, '', { status: 'completed', completed_at: new Date() });
  await pool.query(
    `insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, status)
     select gen_random_uuid(), $2, $1, n, '+1212555' || lpad(n::text, 4, '0'), $3, $4, $5, 'missed'
     from generate_series(0, 2499) n`,
    [batchId, tenant.accountId, tenant.number, tenant.ruleId, tenant.gatewayId],
  );
  // The second piece waits for this row, and is cut off there.
  const other = await pool.connect();
  await other.query('begin');
  await other.query('select 1 from calls where batch_id = $1 and position = 1200 for update', [batchId]);
  await remove(batchId);
  await testEnv.outbox.sendDue();
  const waiting = `select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike '%delete from calls%'`;
  await testEnv.until(async () => (await pool.query(waiting)).rows.length > 0);
  expect((await left(batchId)).calls).toBe(1_500);
  await pool.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
  await other.query('rollback');
  other.release();

  await testEnv.until(async () => (await left(batchId)).deletions === 0);
  expect(await left(batchId)).toEqual(nothing);
});
