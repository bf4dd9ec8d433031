import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setNumberLimits } from '../../db/queries/telephony/number-limits.js';
import { batchRow, queueOf } from './batch-row.js';
import { aBatch, csvOf, type Tenant } from './fixtures.js';
import { shareTestEnv } from './shared-env.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
shareTestEnv(timeSkippingTestEnv, (env, account) => {
  [testEnv, tenant] = [env, account];
});

const hourMs = 3_600_000;

/** A batch that calls from the tenant's number and another one, whose calls the claim has put off for so many hours until their number may call. */
async function aBatchThatWaits(hours: number, fields: Parameters<typeof aBatch>[3] = {}): Promise<string> {
  const pool = { phone_numbers: [tenant.number, '+15550109999'], number_on_retry: 'same' };
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(2), { ...pool, ...fields });
  await testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
  await queueOf(testEnv, batchId, 2);
  await sql`
    update call_attempts set reason = 'number', due_at = now() + make_interval(hours => ${hours})
    where batch_id = ${batchId}`.execute(testEnv.database.db);
  return batchId;
}

/** Changes the limits of a number, and tells the workflows. */
async function change(e164: string): Promise<void> {
  const number = { id: tenant.numberId, e164 };
  const limits = { minSecondsBetweenCalls: 60 };
  await testEnv.database.db.transaction().execute((tx) => setNumberLimits(tx, tenant.accountId, number, limits, 'UTC'));
  await testEnv.outbox.sendDue();
}

const moved = (batchId: string) =>
  testEnv.until(async () => !(await batchRow(testEnv.database, batchId)).window_moving);

const dueIn = async (batchId: string): Promise<number[]> =>
  (
    await testEnv.database.db.selectFrom('call_attempts').select('due_at').where('batch_id', '=', batchId).execute()
  ).map(({ due_at }) => Math.max(0, Math.round((due_at.getTime() - Date.now()) / hourMs)));

test('calls that wait for their number are looked at again at once when its limits are changed', async () => {
  const batchId = await aBatchThatWaits(20);
  await change(tenant.number);
  await moved(batchId);
  expect(await dueIn(batchId)).toEqual([0, 0]);
});

test('they keep the hours of their batch', async () => {
  const at = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString().slice(11, 16);
  const window = {
    from: at(5),
    until: at(9).replace('00:00', '24:00'),
    daysOfWeek: [1, 2, 3, 4, 5, 6, 7],
    timezone: 'UTC',
  };
  const batchId = await aBatchThatWaits(20, { calling_window: JSON.stringify(window) });
  await change(tenant.number);
  await moved(batchId);
  expect(await dueIn(batchId)).toEqual([5, 5]);
});

test('a number that the batch does not call from, and waits of less than a minute, leave its queue as it is', async () => {
  const [elsewhere, soon] = [await aBatchThatWaits(20), await aBatchThatWaits(0)];
  await change('+15550100000');
  expect((await batchRow(testEnv.database, elsewhere)).window_moving).toBe(false);
  await change(tenant.number);
  expect((await batchRow(testEnv.database, soon)).window_moving).toBe(false);
  await moved(elsewhere);
});
