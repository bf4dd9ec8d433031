import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { lockPrices, putPrices } from '../../../db/queries/accounts/prices.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import type { BatchChange } from '../../../db/queries/batches/change.js';
import { finishBatch } from '../../../db/queries/batches/finish.js';
import { stopIfReached } from '../../../db/queries/batches/stop.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { unfinishedBatches } from '../../../db/queries/upkeep/watchdog.js';
import { dialerTestEnv, inOrder, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

const answering = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 1, answeredBy: 'human' } as const;
const short = { ...answering, talkSeconds: 5, endedBy: 'callee' } as const;
const long = { ...answering, talkSeconds: 1_000, endedBy: 'callee' } as const;

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());
const db = () => testEnv.database.db;

/** One unit of the currency for each minute that is begun, so one for each short call. */
const setPrices = () =>
  db()
    .transaction()
    .execute(async (tx) => {
      const price = { gatewayId: null, country: null, perMinuteMicros: 1_000_000 };
      await lockPrices(tx, testEnv.accountId, 'USD');
      await putPrices(tx, testEnv.accountId, {
        ...{ currency: 'USD', calls: [{ ...price, incrementSeconds: 60, minimumSeconds: 60 }] },
      });
    });

const change: DialerTestEnv['change'] = (batchId, to) => testEnv.change(batchId, to);
const aBatch = (gateway: Gateway, changed: BatchChange) => testEnv.batch(gateway, { changed });

async function stateOf(batchId: string) {
  const { rows } = await sql<{
    status: string;
    by: string | null;
    at: Date | null;
    cost: number;
    answered: number;
    live: number;
    dialedAfter: number;
  }>`
    select b.status, b.stopped_by as by, b.stopped_at as at, cost_of_batch(b.account_id, b.id)::float8 / 1000000 as cost, k.answered,
      k.dialing + k.in_progress as live,
      (select count(*)::integer from call_attempts a where a.batch_id = b.id and a.dialed_at >= b.stopped_at) as "dialedAfter"
    from batches b join batch_counters k on k.batch_id = b.id where b.id = ${batchId}`.execute(db());
  return rows[0]!;
}

const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');

/** What the workflow does with a batch that was stopped. */
async function settle(batchId: string): Promise<void> {
  await until(async () => !(await cancelStep(db(), testEnv.accountId, batchId)).unsettled);
  await finishBatch(db(), testEnv.accountId, batchId);
}

// shows: batch.stop.cost
test('of four dialers none lets a call out after the end with which its batch has cost enough; what is live goes on and is paid', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  await setPrices();
  const gateway = await testEnv.gateway({ callsPerSecond: 200, maxConcurrentCalls: 20 });
  // More than 29 calls cost, and less than 30.
  const batchId = await aBatch(gateway, { maxCost: 29.000001 });
  const numbers = numbersEndingIn(1, 300);
  await testEnv.calls(gateway, batchId, numbers);
  await Promise.all([1, 2, 3, 4].map(() => testEnv.dialer()));

  await until(async () => (await stateOf(batchId)).by !== null);
  expect(await stateOf(batchId)).toMatchObject({ status: 'cancelling', by: 'maxCost' });
  await settle(batchId);

  const dialed = invites().length;
  const end = await stateOf(batchId);
  expect(end).toMatchObject({ status: 'completed', by: 'maxCost', dialedAfter: 0, answered: dialed, cost: dialed });
  expect(end.cost).toBeGreaterThanOrEqual(30);
  expect(end.cost).toBeLessThan(30 + 20);
  const { rows } = await sql<object>`
    select status, reason, count(*)::integer as calls from calls where batch_id = ${batchId} and status <> 'answered'
    group by 1, 2`.execute(db());
  expect(rows).toEqual([{ status: 'cancelled', reason: 'stopped_at_max_cost', calls: numbers.length - dialed }]);
});

// shows: batch.stop.cost
test('with one call at a time a batch ends with the very call that reaches its limit; without a limit it goes on', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  await setPrices();
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 1 });
  const [free, limited] = [await aBatch(gateway, { maxCost: 5 }), await aBatch(gateway, { maxCost: 1 })];
  await change(free, { maxCost: null });
  await testEnv.calls(gateway, free, numbersEndingIn(1, 8));
  await testEnv.dialer();
  await until(async () => (await stateOf(free)).answered === 8);
  expect(await stateOf(free)).toMatchObject({ status: 'running', by: null, cost: 8 });
  await testEnv.calls(gateway, limited, numbersEndingIn(2, 5, 100));
  await until(async () => (await stateOf(limited)).by !== null);
  expect(await stateOf(limited)).toMatchObject({ by: 'maxCost', cost: 1, dialedAfter: 0 });
});

// shows: batch.stop.change, batch.stop.cost
test('a limit that is lower than what was spent stops the batch with the change; one that is not lets it go on', async () => {
  const [first = '', second = '', ...others] = numbersEndingIn(1, 6);
  const scenario = { numbers: { [first]: [short], [second]: [long] }, otherwise: long };
  testEnv = await dialerTestEnv({ speed: 50, scenario }, {}, inOrder);
  await setPrices();
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 2 });
  const batchId = await aBatch(gateway, { maxCost: 100 });
  await testEnv.calls(gateway, batchId, [first, second, ...others]);
  await testEnv.dialer();
  await until(async () => (await stateOf(batchId)).answered === 1);

  await change(batchId, { maxCost: 1.000001 });
  expect(await stateOf(batchId)).toMatchObject({ status: 'running', by: null });
  await change(batchId, { maxCost: 0.5 });
  expect(await stateOf(batchId)).toMatchObject({ status: 'cancelling', by: 'maxCost', dialedAfter: 0, cost: 1 });
});

/** Ends an answered attempt as a process of the version before does, which knows nothing of `maxCost`. */
async function endedByOlderProcess(batchId: string): Promise<void> {
  await sql`
    with ended as (
      update call_attempts set phase = 'ended', outcome = 'answered', reason = 'callee_hung_up', dialed_at = now(), answered_at = now(),
        ended_at = now() + interval '5 seconds', invite = 1
      where batch_id = ${batchId} and position = 0 returning call_id)
    update calls c set status = 'answered', attempts_made = 1, ended_at = now() + interval '5 seconds'
    from ended e where c.id = e.call_id`.execute(db());
}

// shows: batch.stop.cost
test('a cost that was committed without a stop holds claim and gate, is told, and is found by the watchdog', async () => {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: short } });
  await setPrices();
  const gateway = await testEnv.gateway({});
  const batchId = await aBatch(gateway, { maxCost: 1 });
  await testEnv.calls(gateway, batchId, numbersEndingIn(1, 5));
  await endedByOlderProcess(batchId);
  expect(await stateOf(batchId)).toMatchObject({ status: 'running', by: null, cost: 1 });

  await testEnv.dialer();
  const other = await testEnv.batch(gateway);
  await testEnv.calls(gateway, other, numbersEndingIn(2, 3, 200));
  await until(async () => (await stateOf(other)).answered === 3);
  expect((await stateOf(batchId)).live).toBe(0);
  expect(invites()).toHaveLength(3);
  expect(await waitingOfBatch(db(), testEnv.accountId, batchId)).toMatchObject({
    counts: { dialing_stopped: 4 },
    total: 4,
  });

  await sql`
    update batches set updated_at = now() - interval '1 minute', created_at = now() - interval '1 minute'`.execute(
    db(),
  );
  const found = (await unfinishedBatches(db(), null)).find((batch) => batch.batchId === batchId);
  expect(found?.overdue).toBe('reconsider');
  await stopIfReached(db(), testEnv.accountId, batchId);
  await settle(batchId);
  await wakeGateways(db(), [gateway.id]);
  expect(await stateOf(batchId)).toMatchObject({ status: 'completed', by: 'maxCost', dialedAfter: 0 });
});
