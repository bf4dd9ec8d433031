import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CancelProgress, cancelStep } from '../../../db/queries/batches/cancel.js';
import { aTenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';
import { historyTestEnv, blocksRead, type HistoryTestEnv } from './history.js';

let testEnv: HistoryTestEnv;
beforeAll(async () => {
  testEnv = await historyTestEnv(20_000);
});
afterAll(() => testEnv.close());

/** A batch that is being cancelled, with this many calls in the queue. */
async function aCancelledBatch(count: number) {
  const { db } = testEnv.database;
  const tenant = await aTenant(db);
  const { batchId } = await aRunningBatch(db, tenant, 0, { status: 'cancelling', cancel_mode: 'immediate' });
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id)
    select uuidv7(), ${tenant.accountId}, ${batchId}, n, '+1204' || lpad(n::text, 7, '0'), ${tenant.number},
      ${tenant.ruleId}, ${tenant.gatewayId} from generate_series(0, ${count - 1}) n`.execute(db);
  await sql`insert into batch_counters (batch_id, pending) values (${batchId}, ${count})`.execute(db);
  await sql`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at)
    select id, 1, account_id, batch_id, gateway_id, position, to_number, clock_timestamp()
    from calls where batch_id = ${batchId}`.execute(db);
  await sql`vacuum analyze calls, call_attempts`.execute(db);
  return { batchId, accountId: tenant.accountId };
}

const leftOf = async (batchId: string) => {
  const { rows } = await sql<{ unsettled: number; attempts: number; cancelled: number }>`
    select (select count(*)::integer from calls where batch_id = ${batchId} and not settled) as unsettled,
      (select count(*)::integer from call_attempts where batch_id = ${batchId}) as attempts,
      (select cancelled from batch_counters where batch_id = ${batchId}) as cancelled`.execute(testEnv.database.db);
  return rows[0];
};

test('D9: the last step of a cancel costs what the first does, and the steps together settle every call', async () => {
  const { db } = testEnv.database;
  const { batchId, accountId } = await aCancelledBatch(12_001);
  const costs: number[] = [];
  const step = async (after: number): Promise<CancelProgress> => {
    let progress: CancelProgress | undefined;
    const blocks = await blocksRead(testEnv.database, ['calls', 'call_attempts'], async () => {
      progress = await cancelStep(db, accountId, batchId, after);
    });
    costs.push(blocks);
    if (progress === undefined) throw new Error('The step gave no answer.');
    return progress;
  };
  let progress = await step(-1);
  while (progress.more) progress = await step(progress.last);

  expect(costs).toHaveLength(7);
  expect(costs[5]).toBeLessThan((costs[0] ?? 0) * 1.3);
  expect(await leftOf(batchId)).toEqual({ unsettled: 0, attempts: 0, cancelled: 12_001 });
});

test('D9: a call that was live when the steps passed it is settled by the next round', async () => {
  const { db } = testEnv.database;
  const { batchId, accountId } = await aCancelledBatch(10);
  const phaseOf = (phase: string) =>
    sql`
    update call_attempts set phase = ${phase}, claimed_by = case when ${phase} = 'queued' then null else uuidv7() end
    where batch_id = ${batchId} and position = 4`.execute(db);
  await phaseOf('dialing');

  expect(await cancelStep(db, accountId, batchId)).toMatchObject({ settled: 9, more: false, unsettled: true });
  await phaseOf('queued'); // its INVITE was never sent
  expect(await cancelStep(db, accountId, batchId)).toMatchObject({ settled: 1, unsettled: false });
  expect(await leftOf(batchId)).toEqual({ unsettled: 0, attempts: 0, cancelled: 10 });
});
