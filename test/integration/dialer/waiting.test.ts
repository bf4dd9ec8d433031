import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { releaseAttempts } from '../../../db/queries/dialer/release-attempts.js';
import { defaultGuardrails, type Guardrails } from '../../../domain/account/guardrails.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, numbersEndingIn, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let me: string;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  gateway = await testEnv.gateway({ callsPerSecond: 100, maxConcurrentCalls: 50 });
  me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
});
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const waiting = (batchId: string) => waitingOfBatch(db(), testEnv.accountId, batchId);
const countsOf = async (batchId: string) => (await waiting(batchId)).counts;
const put = (change: Partial<Guardrails>) =>
  db()
    .transaction()
    .execute((tx) => putGuardrails(tx, testEnv.accountId, { ...defaultGuardrails, ...change }));

async function claim(most = 200, regions: readonly string[] = []) {
  await sql`update gateway_admission set next_claim_at = clock_timestamp() where gateway_id = ${gateway.id}`.execute(
    db(),
  );
  return claimAttempts(db(), me, most, regions);
}

/** What was claimed rings: the claim has spent its turn. */
const ring = () =>
  sql`with rung as (update call_attempts set phase = 'ringing', dialed_at = clock_timestamp(), invite = 1
      where phase = 'claimed' returning call_id)
    update calls set status = 'dialing' where id in (select call_id from rung)`.execute(db());

/** Hours that are closed everywhere, whatever the time. */
const closed = () => ({ from: '09:00', until: '18:00', daysOfWeek: [((new Date().getUTCDay() + 2) % 7) + 1] });

async function aBatch(count = 5, settings: Parameters<DialerTestEnv['batch']>[1] = {}) {
  const batchId = await testEnv.batch(gateway, settings);
  const callIds = await testEnv.calls(gateway, batchId, numbersEndingIn(7, count, 100));
  return { batchId, callIds };
}

describe('through what the dialer itself does, recipients wait', () => {
  test('for the start', async () => {
    const { batchId } = await aBatch();
    const startsAt = new Date(Date.now() + 3_600_000);
    await sql`update batches set status = 'scheduled', starts_at = ${startsAt} where id = ${batchId}`.execute(db());
    const { counts, until: times } = await waiting(batchId);
    expect([counts, times]).toEqual([{ not_started: 5 }, { not_started: startsAt.toISOString() }]);
    expect(await claim()).toEqual([]);
  });

  test('because the batch is paused, or its agent is not active', async () => {
    const { batchId } = await aBatch();
    await sql`update batches set paused = true where id = ${batchId}`.execute(db());
    expect(await countsOf(batchId)).toEqual({ paused: 5 });
    await sql`update batches set paused = false where id = ${batchId}`.execute(db());
    await sql`update agents set status = 'inactive', deployment_id = null`.execute(db());
    expect(await countsOf(batchId)).toEqual({ paused: 5 });
    expect(await claim()).toEqual([]);
  });

  test('because dialing is stopped, or the batch is being cancelled', async () => {
    const { batchId } = await aBatch();
    await sql`update accounts set dialing_stopped_at = now()`.execute(db());
    expect(await countsOf(batchId)).toEqual({ dialing_stopped: 5 });
    expect(await claim()).toEqual([]);
    await sql`update accounts set dialing_stopped_at = null`.execute(db());
    await sql`update batches set status = 'cancelling', cancel_mode = 'graceful'`.execute(db());
    expect(await countsOf(batchId)).toEqual({ dialing_stopped: 5 });
  });

  test('for the calling window, each by the clocks of its own zones', async () => {
    const { batchId, callIds } = await aBatch();
    const hour = new Date().getUTCHours();
    const two = (value: number) => `${String(value % 24).padStart(2, '0')}:00`;
    const window = { from: two(hour), until: two(hour + 2), daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' };
    await sql`delete from call_attempts`.execute(db());
    await sql`update calls set time_zones = case when position < 2 then array['UTC'] else array['Asia/Tokyo'] end`.execute(
      db(),
    );
    await sql`update batches set calling_window = ${JSON.stringify(window)}`.execute(db());
    const expected = { calling_window: 3, ready: 2 };
    expect(await countsOf(batchId)).toEqual({ calling_window: 3, not_queued: 2 });

    const attempts = callIds.map((callId) => [callId, 1] as const);
    await queueAttempts(db(), { accountId: testEnv.accountId, batchId, attempts }, new Date());
    const { counts, until: times, sentence } = await waiting(batchId);
    expect(counts).toEqual(expected);
    expect(sentence).toMatch(/^3 wait until \d\d:00 in Tokyo.*; 2 are next to be dialed\.$/);
    const { due } = await db()
      .selectFrom('call_attempts')
      .select((eb) => eb.fn.max('due_at').as('due'))
      .executeTakeFirstOrThrow();
    expect(times.calling_window).toBe(due.toISOString());
    expect(await claim()).toHaveLength(2);
    expect(await countsOf(batchId)).toEqual(expected);
  });

  test('for the calling hours of the account, and no longer when these change', async () => {
    const { batchId } = await aBatch();
    await put({ callingHours: closed() });
    await testEnv.dialer();
    await until(async () => (await countsOf(batchId)).guardrail_hours === 5);
    const { until: times } = await waiting(batchId);
    const due = await db().selectFrom('call_attempts').select('due_at').executeTakeFirstOrThrow();
    expect(times.guardrail_hours).toBe(due.due_at.toISOString());
  });

  test('for their next day', async () => {
    const { batchId } = await aBatch(1);
    await put({ maxAttemptsPerNumberPerDay: 1 });
    const [called = ''] = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(7, 1, 100));
    await sql`update call_attempts set phase = 'ended', outcome = 'failed', dialed_at = now(), ended_at = now()
      where call_id = ${called}`.execute(db());
    await testEnv.dialer();
    await until(async () => (await countsOf(batchId)).daily_limit === 1);
    expect(new Date((await waiting(batchId)).until.daily_limit ?? 0).getTime()).toBeGreaterThan(Date.now());
  });

  test('for a retry, until the instant of the first', async () => {
    const batchId = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [600] });
    const callIds = await testEnv.calls(gateway, batchId, numbersEndingIn(1, 3, 100));
    await testEnv.dialer();
    await until(async () => (await countsOf(batchId)).retry_delay === callIds.length);
    const { next } = await db()
      .selectFrom('calls')
      .select((eb) => eb.fn.min('next_attempt_at').as('next'))
      .executeTakeFirstOrThrow();
    expect((await waiting(batchId)).until.retry_delay).toBe(next?.toISOString());
  });

  test('for an instant of their own', async () => {
    const { batchId, callIds } = await aBatch();
    const notBefore = new Date(Date.now() + 3_600_000);
    await sql`delete from call_attempts where position > 2`.execute(db());
    await sql`update calls set not_before = ${notBefore}, next_attempt_at = ${notBefore} where position > 2`.execute(
      db(),
    );
    const expected = { not_before: 2, ready: 3 };
    expect(await countsOf(batchId)).toEqual(expected);
    const attempts = callIds.map((callId) => [callId, 1] as const);
    await queueAttempts(db(), { accountId: testEnv.accountId, batchId, attempts }, new Date());
    const { counts, until: times } = await waiting(batchId);
    expect([counts, times.not_before]).toEqual([expected, notBefore.toISOString()]);
    expect(await claim()).toHaveLength(3);
  });

  test('for a free line of the gateway', async () => {
    await sql`update gateways set max_concurrent_calls = 2`.execute(db());
    const { batchId } = await aBatch();
    expect(await countsOf(batchId)).toEqual({ ready: 2, gateway_limit: 3 });
    expect(await claim()).toHaveLength(2);
    expect(await countsOf(batchId)).toEqual({ ready: 2, gateway_limit: 3 });
    await ring();
    expect(await countsOf(batchId)).toEqual({ gateway_limit: 3 });
  });

  test('for their turn at the calls per second', async () => {
    await sql`update gateways set calls_per_second = 1`.execute(db());
    const { batchId } = await aBatch();
    expect(await claim()).toHaveLength(2);
    expect(await countsOf(batchId)).toEqual({ ready: 2, gateway_rate: 3 });
    expect(await claim()).toEqual([]);
  });

  test('for a gateway that is suspended, and one call tries it', async () => {
    const { batchId } = await aBatch();
    const probeAt = new Date(Date.now() + 60_000);
    await sql`update gateway_admission set suspended_since = now(), probe_at = ${probeAt}`.execute(db());
    const { counts, until: times } = await waiting(batchId);
    expect([counts, times.gateway_suspended]).toEqual([{ gateway_suspended: 5 }, probeAt.toISOString()]);
    expect(await claim()).toEqual([]);
    await sql`update gateway_admission set probe_at = now()`.execute(db());
    expect(await countsOf(batchId)).toEqual({ ready: 1, gateway_suspended: 4 });
    expect(await claim()).toHaveLength(1);
  });

  test('for another call of the batch to end', async () => {
    const { batchId } = await aBatch(5, { maxConcurrentCalls: 1 });
    expect(await claim()).toHaveLength(1);
    await ring();
    expect(await countsOf(batchId)).toEqual({ batch_limit: 4 });
    expect(await claim()).toEqual([]);
  });

  test('for an agent of the region, or for any agent at all', async () => {
    const { batchId } = await aBatch();
    const real = async () =>
      (await waitingOfBatch(db(), testEnv.accountId, batchId, { OUTDIAL_PROVIDER: 'livekit' })).counts;
    expect(await real()).toEqual({ no_agent_slot: 5 });
    await announceAgentWorker(db(), { id: 'worker', region: 'default', slots: 2, used: 0, state: 'ready' });
    expect(await real()).toEqual({ ready: 2, no_agent_slot: 3 });
    expect(await claim(200, ['default'])).toHaveLength(2);
    await ring();
    expect(await real()).toEqual({ no_agent_slot: 3 });
  });

  test('for another call to the same number', async () => {
    const batchId = await testEnv.batch(gateway);
    await testEnv.calls(gateway, batchId, ['+15550100007', '+15550100007', '+15550100017']);
    expect(await claim()).toHaveLength(2);
    await ring();
    expect(await countsOf(batchId)).toEqual({ same_number_live: 1 });
  });

  test('for no retry if a dialer could not go on with them: they are dialed in a moment', async () => {
    const { batchId } = await aBatch();
    const [given] = await claim(1);
    if (given === undefined) throw new Error('nothing was claimed');
    await releaseAttempts(db(), [given], 30);
    expect(await waiting(batchId)).toMatchObject({ counts: { ready: 5 }, until: { ready: null } });
  });
});
