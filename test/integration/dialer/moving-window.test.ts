import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { endMove, movingWindow } from '../../../db/queries/batches/window.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  tenant = await aTenant(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const process = uuidv7();
const claim = async () => (await database.pool.query('select * from claim_attempts($1, 10)', [process])).rows.length;
const wake = () => database.pool.query('update gateway_admission set next_claim_at = now()');
const gate = async (callId: string) => {
  const held = await database.pool.query<{ claim_id: string }>(
    'select claim_id from call_attempts where call_id = $1',
    [callId],
  );
  const claimId = held.rows[0]?.claim_id ?? '';
  const attempt = { callId, number: 1, claimId, invite: 1, room: 'room', revision: '0', until: null };
  const [answer] = await gateAttempts(database.db, process, [attempt]);
  return answer?.refusal;
};

test('while its calling window moves nothing of a batch is claimed, and nothing that was claimed passes the gate', async () => {
  const { db, pool } = database;
  await pool.query(`insert into dialer_processes (id, host, pid, lease_until) values ($1, 'here', 1, 'infinity')`, [
    process,
  ]);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 2);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: attempts.slice(0, 1) }, new Date());
  expect(await claim()).toBe(1);
  await pool.query('update call_attempts set dial_at = clock_timestamp()');

  await db.updateTable('batches').set({ window_moving: true }).where('id', '=', batchId).execute();
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, new Date());
  await wake();
  expect(await claim()).toBe(0);
  expect(await gate(callIds[0]!)).toBe('held');

  const moving = await movingWindow(db, tenant.accountId, batchId);
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(true);
  expect(await claim()).toBe(1);
  await pool.query('update call_attempts set dial_at = clock_timestamp() where call_id = $1', [callIds[0]]);
  expect(await gate(callIds[0]!)).toBeNull();
});

test('a window that is changed again while the queue moves keeps the batch held', async () => {
  const { db } = database;
  const { batchId } = await aRunningBatch(db, tenant, 1, { window_moving: true });
  const moving = await movingWindow(db, tenant.accountId, batchId);
  const calling_window = JSON.stringify({ from: '09:00', until: '17:00', daysOfWeek: [1], timezone: 'UTC' });
  await db.updateTable('batches').set({ calling_window }).where('id', '=', batchId).execute();
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(false);
  expect(await movingWindow(db, tenant.accountId, batchId)).toMatchObject({ window: { from: '09:00' } });
});
