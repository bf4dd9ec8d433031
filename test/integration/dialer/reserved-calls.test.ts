import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { claimAttempts, nextClaimInMs } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import type { OperatorLimits } from '../../../domain/account/operator-limits.js';
import type { Behaviour } from '../../../telephony/simulator/behaviour.js';
import { mostLiveLegs } from '../../setup/live-legs.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

const talking = (talkSeconds: number): Behaviour => ({
  ...{ kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 0, talkSeconds },
  ...{ answeredBy: 'human', endedBy: 'callee' },
});

let testEnv: DialerTestEnv;
let gateway: Gateway;
let me: string;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;

/** A gateway of so many lines whose callees talk this long; numbers in `long` do not hang up. */
async function start(
  { lines, reserved, callsPerSecond = 100 }: { lines: number; reserved: number; callsPerSecond?: number },
  talkSeconds = 500_000,
  limits: Partial<OperatorLimits> = {},
): Promise<void> {
  testEnv = await dialerTestEnv({ speed: 50, scenario: { numbers: {}, otherwise: talking(talkSeconds) } }, limits);
  gateway = await testEnv.gateway({ maxConcurrentCalls: lines, callsPerSecond });
  await reserve(reserved);
  me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
}

const reserve = (reserved: number) => sql`update gateways set reserved_calls = ${reserved}`.execute(db());
const dialers = (count: number) => Promise.all(Array.from({ length: count }, () => testEnv.dialer()));
const invited = (ids: readonly string[]) =>
  testEnv.ledger().filter(({ event, callId }) => event === 'invite' && ids.includes(callId ?? '')).length;
const mostLive = (ids?: readonly string[]) =>
  mostLiveLegs(testEnv.ledger(), ({ callId }) => ids === undefined || ids.includes(callId ?? ''));

async function aBatch(calls: number, from: number) {
  const batchId = await testEnv.batch(gateway);
  return { batchId, ids: await testEnv.calls(gateway, batchId, numbersEndingIn(1, calls, from)) };
}
const singles = (calls: number, from: number) => testEnv.calls(gateway, null, numbersEndingIn(1, calls, from));

/** What one claim takes, by kind. */
async function claim(regions: readonly string[] = []): Promise<{ ofBatches: number; single: number }> {
  await sql`update gateway_admission set next_claim_at = clock_timestamp()`.execute(db());
  const claimed = await claimAttempts(db(), me, 200, regions);
  const ofBatches = claimed.filter(({ batchId }) => batchId !== null).length;
  return { ofBatches, single: claimed.length - ofBatches };
}
const end = (ids: readonly string[]) =>
  sql`update call_attempts set phase = 'ended', outcome = 'answered', ended_at = now()
    where call_id = any (${ids}::uuid[])`.execute(db());

// shows: gateway.reserved
test('four dialers fill with batches all lines of a gateway but the reserved ones, which single calls have at once', async () => {
  await start({ lines: 7, reserved: 3 });
  const batches = [await aBatch(30, 0), await aBatch(30, 100)];
  const ofBatches = batches.flatMap(({ ids }) => ids);
  await dialers(4);
  await until(() => invited(ofBatches) === 4);
  const [first = '', second = '', third = ''] = await singles(3, 300);
  await until(() => invited([first, second, third]) === 3);
  expect([mostLive(ofBatches), mostLive()]).toEqual([4, 7]);
});

test('while calls come and go, batches never have more than their lines, all calls never more than the gateway, and all are made', async () => {
  await start({ lines: 6, reserved: 2, callsPerSecond: 60 }, 20);
  const batches = [await aBatch(40, 0), await aBatch(40, 100)];
  const ofBatches = batches.flatMap(({ ids }) => ids);
  await dialers(4);
  const single: string[] = [];
  for (let wave = 0; wave < 5; wave += 1) {
    await until(() => invited(ofBatches) >= 10 * (wave + 1));
    // More than are reserved: they take lines of the batches, too.
    single.push(...(await singles(4, 300 + 10 * wave)));
  }
  await until(() => invited(ofBatches) === 80 && invited(single) === 20);
  expect(mostLive(ofBatches)).toBe(4);
  expect(mostLive()).toBeLessThanOrEqual(6);
});

test('single calls may use every line; batches then have what is left of theirs', async () => {
  await start({ lines: 6, reserved: 2 });
  await singles(4, 300);
  expect(await claim()).toEqual({ ofBatches: 0, single: 4 });
  const { batchId } = await aBatch(20, 0);
  expect(await claim()).toEqual({ ofBatches: 2, single: 0 });
  expect((await waitingOfBatch(db(), testEnv.accountId, batchId)).counts).toEqual({ ready: 2, gateway_limit: 18 });
});

test('one claim takes single calls and, of batches together, no more than their lines', async () => {
  await start({ lines: 10, reserved: 6 });
  await aBatch(20, 0);
  await aBatch(20, 100);
  await singles(3, 300);
  expect(await claim()).toEqual({ ofBatches: 4, single: 3 });
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
});

test('batches share the lines that are not reserved by their priorities', async () => {
  await start({ lines: 40, reserved: 10 });
  const batches = [await aBatch(100, 0), await aBatch(100, 100), await aBatch(100, 200)];
  for (const [place, priority] of [9, 1, 5].entries()) {
    await sql`update batches set priority = ${priority} where id = ${batches[place]?.batchId}`.execute(db());
  }
  await dialers(4);
  await until(() => invited(batches.flatMap(({ ids }) => ids)) === 30);
  // Weights 1, 9 and 5 of 15
  expect(batches.map(({ ids }) => invited(ids))).toEqual([2, 18, 10]);
});

test('who waits for a line that is not reserved is told so, in words, too', async () => {
  await start({ lines: 5, reserved: 3 });
  const { batchId, ids } = await aBatch(10, 0);
  expect(await claim()).toEqual({ ofBatches: 2, single: 0 });
  await sql`update call_attempts set phase = 'dialing', dialed_at = now() where phase = 'claimed'`.execute(db());
  await sql`update calls set status = 'dialing' where id = any (${ids.slice(0, 2)}::uuid[])`.execute(db());
  const { counts, sentence, total, sum } = await waitingOfBatch(db(), testEnv.accountId, batchId);
  expect({ counts, total, sum }).toEqual({ counts: { reserved: 8 }, total: 8, sum: 8 });
  expect(sentence).toBe(
    '8 wait for a free line or agent, because the others are reserved for single calls and inbound ones.',
  );
});

test('while only reserved lines are free the gateway is looked at once a second, and not at all if nobody waits', async () => {
  await start({ lines: 3, reserved: 2 });
  const { ids } = await aBatch(2, 0);
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
  expect(await nextClaimInMs(db())).toBeLessThan(300); // there may be more
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  const ms = (await nextClaimInMs(db())) ?? 0;
  expect([ms > 500, ms <= 1_000]).toEqual([true, true]);
  await end(ids);
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  expect(await nextClaimInMs(db())).toBeNull();
});

test('the end of a call wakes the batches that wait for its line, a single call’s as well as a batch’s', async () => {
  await start({ lines: 2, reserved: 1 }, 1);
  const single = await singles(20, 300);
  const { ids } = await aBatch(40, 0);
  const startedMs = performance.now();
  await dialers(2);
  await until(() => invited([...single, ...ids]) === 60);
  // Were each waited for by the clock, the batch alone would take 40 s.
  expect(performance.now() - startedMs).toBeLessThan(25_000);
});

test('of lines that a carrier has taken the reserved ones go last, and batches go on by the clock as they come back', async () => {
  await start({ lines: 10, reserved: 2 });
  await aBatch(20, 0);
  const cap = (lines: number, minutesAgo: number) =>
    sql`update gateway_admission set concurrency_cap = ${lines},
      concurrency_changed_at = now() - ${minutesAgo}::integer * interval '1 minute'`.execute(db());
  await cap(2, 0);
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  expect(await nextClaimInMs(db())).toBeLessThanOrEqual(1_000);
  await cap(2, 3);
  expect(await claim()).toEqual({ ofBatches: 3, single: 0 });
});

test('a suspended gateway is tried by a call of a batch, whatever is reserved', async () => {
  await start({ lines: 5, reserved: 4 });
  await aBatch(5, 0);
  await sql`update gateway_admission set suspended_since = now() - interval '1 minute', probe_at = now()`.execute(db());
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
});

test('a limit that is lowered below what is reserved leaves batches one line: by the operator, and by a process of before', async () => {
  await start({ lines: 10, reserved: 5 }, 1, { maxConcurrentCalls: 4 });
  const { ids } = await aBatch(5, 0);
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
  await end(ids);
  await sql`update gateways set max_concurrent_calls = 2`.execute(db());
  await aBatch(5, 100);
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
});

test('lines that are reserved while batches use them are free when their calls end, and no call is hung up', async () => {
  await start({ lines: 6, reserved: 0 });
  const { ids } = await aBatch(12, 0);
  expect(await claim()).toEqual({ ofBatches: 6, single: 0 });
  await reserve(4);
  const { rows } = await sql<{ id: string }>`select call_id as id from call_attempts where phase = 'claimed'`.execute(
    db(),
  );
  const live = rows.map(({ id }) => id);
  await end(live.slice(0, 4));
  expect(await claim()).toEqual({ ofBatches: 0, single: 0 });
  await end(live.slice(4, 5));
  expect(await claim()).toEqual({ ofBatches: 1, single: 0 });
  expect(ids).toHaveLength(12);
});
