import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { BatchChange } from '../../../db/queries/batches/change.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { finishBatch } from '../../../db/queries/batches/finish.js';
import { storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { stopIfReached } from '../../../db/queries/batches/stop.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

const answering = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 1, answeredBy: 'human' } as const;
const short = { ...answering, talkSeconds: 5, endedBy: 'callee' } as const;
const long = { ...answering, talkSeconds: 1_000, endedBy: 'callee' } as const;
const silent = { kind: 'ring_out', ringAfterSeconds: 0 } as const;

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());
const db = () => testEnv.database.db;

const change: DialerTestEnv['change'] = (batchId, to) => testEnv.change(batchId, to);
const aBatch = (gateway: Gateway, changed: BatchChange) => testEnv.batch(gateway, { changed });

async function stateOf(batchId: string) {
  const { rows } = await sql<{
    status: string;
    by: string | null;
    at: Date | null;
    answered: number;
    live: number;
    talking: number;
  }>`
    select b.status, b.stopped_by as by, b.stopped_at as at, k.answered, k.dialing + k.in_progress as live, k.in_progress as talking
    from batches b join batch_counters k on k.batch_id = b.id where b.id = ${batchId}`.execute(db());
  return rows[0]!;
}

/** INVITEs of the batch that passed the gate at this instant or later. */
async function dialedSince(batchId: string, at: Date | null): Promise<number> {
  const { rows } = await sql<{ dialed: number }>`
    select count(*)::integer as dialed from call_attempts
    where batch_id = ${batchId} and dialed_at >= ${at}`.execute(db());
  return rows[0]!.dialed;
}

const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');

async function nextClaimAt(gateway: Gateway): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select next_claim_at::text as at from gateway_admission where gateway_id = ${gateway.id}`.execute(db());
  return rows[0]!.at;
}

/** What the workflow does with a batch that was stopped. */
async function settle(batchId: string): Promise<void> {
  await until(async () => !(await cancelStep(db(), testEnv.accountId, batchId)).unsettled);
  await finishBatch(db(), testEnv.accountId, batchId);
}

// shows: batch.stop.answered
test('of four dialers none lets a call out after the answer with which its batch stops', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  const gateway = await testEnv.gateway({ callsPerSecond: 200, maxConcurrentCalls: 20 });
  const batchId = await aBatch(gateway, { stopAfter: { answered: 30 } });
  const numbers = numbersEndingIn(1, 300);
  await testEnv.calls(gateway, batchId, numbers);
  await Promise.all([1, 2, 3, 4].map(() => testEnv.dialer()));

  await until(async () => (await stateOf(batchId)).by !== null);
  const stopped = await stateOf(batchId);
  expect(stopped).toMatchObject({ status: 'cancelling', by: 'answered' });
  await settle(batchId);

  expect(await dialedSince(batchId, stopped.at)).toBe(0);
  const dialed = invites().length;
  const end = await stateOf(batchId);
  // Everyone who was dialed was talked to; as many as were live at the last answer come to it.
  expect(end).toMatchObject({ status: 'completed', answered: dialed });
  expect(end.answered).toBeGreaterThanOrEqual(30);
  expect(end.answered).toBeLessThan(30 + 20);
  const { rows } = await sql<object>`
    select status, reason, count(*)::integer as calls from calls where batch_id = ${batchId} and status <> 'answered'
    group by 1, 2`.execute(db());
  expect(rows).toEqual([{ status: 'cancelled', reason: 'stopped_after_answered', calls: numbers.length - dialed }]);
});

// shows: batch.stop.change
test('while as many talk as a batch stops after, nobody else is dialed; a change holds at once, also one that is reached', async () => {
  const [first = '', second = '', ...others] = numbersEndingIn(1, 6);
  testEnv = await dialerTestEnv({
    speed: 50,
    scenario: { numbers: { [first]: [long], [second]: [long], [others[0]!]: [short] }, otherwise: silent },
  });
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 2 });
  const batchId = await aBatch(gateway, { stopAfter: { answered: 2 } });
  await testEnv.calls(gateway, batchId, [first, second, ...others]);
  await testEnv.dialer();
  const talking = async (calls: number) => (await stateOf(batchId)).talking === calls;
  await until(() => talking(2));
  await sql`update gateways set max_concurrent_calls = 100`.execute(db());
  await wakeGateways(db(), [gateway.id]);
  await until(async () => (await nextClaimAt(gateway)) === 'infinity');
  expect(await waitingOfBatch(db(), testEnv.accountId, batchId)).toMatchObject({
    counts: { batch_limit: 4 },
    total: 4,
  });
  expect(invites()).toHaveLength(2);

  // One more answer is wanted: the next do not answer, or do.
  await change(batchId, { stopAfter: { answered: 3 } });
  await wakeGateways(db(), [gateway.id]);
  await until(async () => (await stateOf(batchId)).answered === 1);
  expect((await stateOf(batchId)).by).toBe(null);

  await change(batchId, { stopAfter: { answered: 1 } });
  const stopped = await stateOf(batchId);
  expect(stopped).toMatchObject({ status: 'cancelling', by: 'answered' });
  expect(await dialedSince(batchId, stopped.at)).toBe(0);
});

// shows: batch.stop.until
test('no call starts at the instant at which a batch stops or later, though no workflow stops it', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  const gateway = await testEnv.gateway({ callsPerSecond: 50 });
  const batchId = await aBatch(gateway, { until: new Date(Date.now() + 3_600_000).toISOString() });
  await testEnv.calls(gateway, batchId, numbersEndingIn(1, 300));
  await testEnv.dialer();
  await testEnv.dialer();
  await until(() => invites().length > 20);
  const at = new Date(Date.now() + 300);
  await change(batchId, { until: at.toISOString() });

  await until(async () => Date.now() > at.getTime() && (await stateOf(batchId)).live === 0);
  await until(async () => (await nextClaimAt(gateway)) === 'infinity');
  expect(await dialedSince(batchId, at)).toBe(0);
  const left = 300 - invites().length;
  expect(left).toBeGreaterThan(100);
  expect(invites().filter((line) => Date.parse(line.at) > at.getTime() + 100)).toEqual([]);
  expect(await stateOf(batchId)).toMatchObject({ status: 'running', by: null });
  expect(await waitingOfBatch(db(), testEnv.accountId, batchId)).toMatchObject({
    counts: { dialing_stopped: left },
    total: left,
  });
  await stopIfReached(db(), testEnv.accountId, batchId);
  await settle(batchId);
  expect(await stateOf(batchId)).toMatchObject({ status: 'completed', by: 'until' });
});

// shows: batch.stop.success
test('the success after which a batch stops holds every later gate; one that is stored twice counts once', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  const gateway = await testEnv.gateway({ callsPerSecond: 20 });
  const batchId = await aBatch(gateway, { stopAfter: { success: 2 } });
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(1, 200));
  await testEnv.dialer();
  await testEnv.dialer();
  await until(async () => (await stateOf(batchId)).answered >= 3);
  const { rows: ended } = await sql<{ id: string }>`
    select id from calls where id = any (${ids}::uuid[]) and status = 'answered' limit 3`.execute(db());
  const isSuccess = (place: number, success: boolean) =>
    storeAnalysis(db(), { accountId: testEnv.accountId, callId: ended[place]!.id, attempt: 1 }, {}, success);
  await isSuccess(0, true);
  await isSuccess(0, true);
  await isSuccess(1, false);
  expect((await stateOf(batchId)).by).toBe(null);
  await isSuccess(2, true);
  const stopped = await stateOf(batchId);
  expect(stopped).toMatchObject({ status: 'cancelling', by: 'success' });
  await settle(batchId);
  expect(await dialedSince(batchId, stopped.at)).toBe(0);
  expect(await stateOf(batchId)).toMatchObject({ status: 'completed', by: 'success', answered: invites().length });
});
