import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { spansOfEnded } from '../../../db/queries/calls/traced.js';
import { noteTargetAnswered, noteTargetLeft } from '../../../db/queries/dialer/warm-transfers.js';
import type { CallPrice } from '../../../domain/account/call-price.js';
import type { CallProvider } from '../../../telephony/provider.js';
import { controlledCalls, takes, talker, type ControlledCalls } from './controlled-calls.js';
import { until, type DialerTestEnv } from './test-env.js';

let calls: ControlledCalls;
let testEnv: DialerTestEnv;
let batchId: string;
beforeEach(async () => {
  calls = await controlledCalls();
  ({ testEnv } = calls);
  batchId = await testEnv.batch(calls.gateway);
});
afterEach(() => testEnv.close());
const db = () => testEnv.database.db;
const declines = '+15550100190';
const isBusy = '+15550100151';

const any = { gatewayId: null, country: null, incrementSeconds: 60, minimumSeconds: 60 };
/** Whoever is called pays one whole for a minute that has begun, in millionths; targets in Germany a tenth of it. */
const setPrices = (prices: readonly Partial<CallPrice>[] = [{ perMinuteMicros: 1_000_000 }]) =>
  db()
    .transaction()
    .execute(async (tx) => {
      await lockPrices(tx, testEnv.accountId, 'USD');
      const all = prices.map((price) => ({ ...any, perMinuteMicros: 0, ...price }));
      await putPrices(tx, testEnv.accountId, { currency: 'USD', calls: all });
    });

const attemptOf = async (callId: string) =>
  (
    await calls.rowsOf<{ cost: string | null; unpriced: boolean | null }>(
      'select cost, unpriced from call_attempts where call_id = $1',
      [callId],
    )
  )[0];
const legOf = async (callId: string) =>
  (
    await calls.rowsOf<{ id: string; cost: string | null; answered: boolean; hasLeft: boolean }>(
      `select id, cost, answered_at is not null as answered, left_at is not null as "hasLeft" from call_transfers
      where call_id = $1 order by id desc`,
      [callId],
    )
  )[0]!;
const costOfBatch = async () => (await findBatchStats(db(), testEnv.accountId, batchId))?.cost;
const becomes = (id: string, status: string) => until(async () => (await calls.transferOf(id))?.status === status);

/** An answered call of the batch. */
async function talking(): Promise<string> {
  const id = await calls.aCall(talker, 'answered', batchId);
  await testEnv.database.pool.query('update calls set simulated = true');
  return id;
}
const isClean = async () => expect(await calls.wrongFigures(batchId)).toEqual([]);

// shows: prices.transfer
test('the minutes of a target that takes the call are in the cost of its call, once, and in that of its batch', async () => {
  await setPrices();
  await testEnv.dialer();
  await testEnv.dialer();
  const id = await talking();
  await calls.transfer(id, takes, 'warm');
  await becomes(id, 'transferred');
  await calls.endWhole(id);
  await until(async () => (await legOf(id)).hasLeft);
  expect(await legOf(id)).toMatchObject({ answered: true, cost: '1000000' });
  const leg = { accountId: testEnv.accountId, callId: id, attempt: 1 };
  await noteTargetLeft(db(), leg, (await legOf(id)).id);
  await noteTargetAnswered(db(), (await legOf(id)).id, new Date());
  await until(async () => (await costOfBatch())?.costMicros === '2000000');
  expect(await attemptOf(id)).toEqual({ cost: '2000000', unpriced: null });
  await isClean();
  const spans = await spansOfEnded(db(), [{ callId: id, attempt: 1 }], []);
  const [span] = spans.filter(({ name }) => name === 'transfer target');
  expect(span?.attributes).toMatchObject({ 'outdial.transferred': true, 'outdial.gateway_id': calls.gateway.id });
  expect(span?.events?.map(({ name }) => name)).toEqual(['answered', 'joined']);
});

// shows: prices.transfer
test('a target that picks up and does not take the call is paid for while the call goes on; one that is busy is not', async () => {
  await setPrices();
  await testEnv.dialer();
  const id = await talking();
  await calls.transfer(id, isBusy, 'warm');
  await becomes(id, 'failed');
  expect(await legOf(id)).toMatchObject({ answered: false, cost: null });
  await calls.transfer(id, declines, 'warm');
  await becomes(id, 'failed');
  expect(await legOf(id)).toMatchObject({ answered: true, hasLeft: true, cost: '1000000' });
  expect(await attemptOf(id)).toEqual({ cost: '1000000', unpriced: null });
  await calls.endWhole(id);
  await until(async () => (await costOfBatch())?.costMicros === '2000000');
  await isClean();
});

test('a leg is priced by the country of its target; if no price fits, its attempt is counted as one without a price', async () => {
  await setPrices([{ country: 'US', perMinuteMicros: 1_000_000 }]);
  await testEnv.dialer();
  const id = await talking();
  await calls.transfer(id, declines, 'warm');
  await becomes(id, 'failed');
  await setPrices([{ country: 'DE', perMinuteMicros: 1_000_000 }]);
  await calls.transfer(id, declines, 'warm');
  await becomes(id, 'failed');
  expect(await legOf(id)).toMatchObject({ answered: true, hasLeft: true, cost: null });
  await setPrices([{ country: 'US', perMinuteMicros: 1_000_000 }]);
  await calls.endWhole(id);
  await until(async () => (await costOfBatch())?.unpriced === 1);
  expect(await attemptOf(id)).toEqual({ cost: '2000000', unpriced: true });
  await isClean();
});

test('the target of a call whose dialer was killed while they talked is hung up and priced by another one, once', async () => {
  await setPrices();
  const inner = testEnv.provider();
  const first = await testEnv.dialer({
    ...inner,
    // The telephone was picked up, the agent of the call speaks with the target; its dialer never hears of it.
    callTarget: (order) => {
      void inner.callTarget(order).catch(() => undefined);
      return new Promise(() => undefined);
    },
  } satisfies CallProvider);
  const id = await talking();
  await calls.transfer(id, takes, 'warm');
  await until(() => testEnv.ledger().some(({ event, callId }) => event === 'target_joined' && callId === id));
  await first.close();
  // As the agent does.
  const { id: transferId } = await legOf(id);
  await noteTargetAnswered(db(), transferId, new Date());
  await testEnv.database.pool.query(`update call_transfers set status = 'transferred', ended_at = now()`);
  await Promise.all([testEnv.dialer(), testEnv.dialer()]);
  await calls.endWhole(id);
  await until(async () => (await legOf(id)).hasLeft);
  await until(async () => (await costOfBatch())?.costMicros === '2000000');
  expect((await legOf(id)).cost).toBe('1000000');
  await isClean();
  expect(testEnv.ledger().filter(({ event }) => event === 'target_invite')).toHaveLength(1);
});
