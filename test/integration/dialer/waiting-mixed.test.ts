import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { announceAgentWorker } from '../../../db/queries/agents/workers.js';
import { defaultGuardrails } from '../../../domain/account/guardrails.js';
import { type DialerTestEnv, dialerTestEnv, numbersEndingIn, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let me: string;
beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 30 });
  me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
});
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const waiting = (batchId: string, settings?: Readonly<Record<string, string>>) =>
  waitingOfBatch(db(), testEnv.accountId, batchId, settings);

async function claim(gatewayId: string, regions: readonly string[] = []) {
  await sql`update gateway_admission set next_claim_at = case when gateway_id = ${gatewayId} then clock_timestamp()
    else 'infinity' end`.execute(db());
  return claimAttempts(db(), me, 200, regions);
}

const hourFromNow = (hours: number) => `${String((new Date().getUTCHours() + hours + 24) % 24).padStart(2, '0')}:00`;
const everyDay = [1, 2, 3, 4, 5, 6, 7];

test('nine reasons hold recipients of one batch at once, and each counts for its own', async () => {
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 50 });
  const hours = { from: hourFromNow(-1), until: hourFromNow(2), daysOfWeek: everyDay };
  const guardrails = {
    ...{ ...defaultGuardrails, callingHours: hours, maxAttemptsPerNumberPerDay: 1 },
    allowedCountries: ['001', 'US', 'JP'],
  };
  await db()
    .transaction()
    .execute((tx) => putGuardrails(tx, testEnv.accountId, guardrails));
  const before = await testEnv.batch(gateway);
  const batchId = await testEnv.batch(gateway, { retryOn: ['rejected'], retryDelaysSeconds: [600] });
  const busy = '+15550100001';
  const dialedToday = '+15550100107';
  const inJapan = ['+81312345670', '+81312345671'];
  const [earlier = ''] = await testEnv.calls(gateway, before, [dialedToday]);
  await sql`update call_attempts set phase = 'ended', outcome = 'failed', dialed_at = now(), ended_at = now()
    where call_id = ${earlier}`.execute(db());

  await testEnv.calls(gateway, batchId, [busy, dialedToday, ...inJapan]);
  const dialer = await testEnv.dialer();
  await until(async () => {
    const { counts } = await waiting(batchId);
    return counts.retry_delay === 1 && counts.daily_limit === 1 && counts.guardrail_hours === 2;
  });
  await dialer.close();

  // The window is closed for two hours, which have begun in one zone; it is open in UTC, now and at midnight.
  const [zone, ahead] = [14, 15].includes(new Date().getUTCHours())
    ? (['Asia/Bangkok', 7] as const)
    : (['Asia/Tokyo', 9] as const);
  const window = {
    from: hourFromNow(ahead + 2),
    until: hourFromNow(ahead),
    daysOfWeek: everyDay,
    timezone: 'recipient',
  };
  await sql`update batches set max_concurrent_calls = 2, timezone = 'UTC', calling_window = ${JSON.stringify(window)}
    where id = ${batchId}`.execute(db());
  const others = ['+15550200007', '+15550200007', ...numbersEndingIn(7, 6, 3000)];
  const ids = others.map(() => randomUUID());
  await sql`
    insert into calls (id, account_id, batch_id, position, to_number, from_number, rule_id, gateway_id, agent_id, time_zones)
    select z.id, c.account_id, c.batch_id, 99 + z.place, z.to_number, c.from_number, c.rule_id, c.gateway_id, c.agent_id,
      case when z.place > 6 then array[${zone}] end
    from unnest(${ids}::uuid[], ${others}::text[]) with ordinality as z (id, to_number, place)
    join calls c on c.batch_id = ${batchId} and c.position = 0`.execute(db());
  await sql`update batch_counters set pending = pending + ${others.length} where batch_id = ${batchId}`.execute(db());
  await sql`select add_batch_waits(${batchId}, 100)`.execute(db());
  await sql`update calls set not_before = now() + interval '1 hour', next_attempt_at = now() + interval '1 hour'
    where id = ${ids[5]}`.execute(db());
  for (const id of ids.slice(0, 5)) await testEnv.queue(id, 1, new Date(Date.now() - 1_000));
  expect(await claim(gateway.id)).toHaveLength(1); // two of its two places were judged, and one is called already
  await sql`update call_attempts set reason = 'rate', invite = 1, due_at = now() + interval '30 seconds'
    where call_id = ${ids[4]}`.execute(db());
  await sql`update batches set max_concurrent_calls = 1 where id = ${batchId}`.execute(db());

  const { counts, total, sum, counted } = await waiting(batchId);
  expect(counts).toEqual({
    ...{ calling_window: 2, guardrail_hours: 2, daily_limit: 1, retry_delay: 1 },
    ...{ batch_limit: 2, gateway_rate: 1, same_number_live: 1, not_before: 1, ready: 1 },
  });
  expect([total, sum]).toEqual([counted, counted]);
});

test('while a batch runs, the counts add up to what is pending and retrying in every answer', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 60, maxConcurrentCalls: 12 });
  const batchId = await testEnv.batch(gateway, { retryOn: ['rejected', 'not-answered'], retryDelaysSeconds: [1, 2] });
  const ids = await testEnv.calls(
    gateway,
    batchId,
    [1, 2, 3, 7].flatMap((digit) => numbersEndingIn(digit, 40, digit * 100)),
  );
  await sql`update calls set time_zones = array['UTC'] where position % 3 = 0`.execute(db());
  await Promise.all([testEnv.dialer(), testEnv.dialer()]);

  const seen = new Set<string>();
  let answers = 0;
  let told = 0;
  await until(async () => {
    for (const [callId, attempt, next] of testEnv.told.slice(told)) {
      if (next !== null) await testEnv.queue(callId, attempt + 1, new Date(next));
      told += 1;
    }
    const { sum, total, counted, known, counts } = await waiting(batchId);
    expect({ sum, total }).toEqual({ sum: counted, total: counted });
    expect(known).toBeLessThanOrEqual(counted);
    for (const reason of Object.keys(counts)) seen.add(reason);
    answers += 1;
    const { n } = await db()
      .selectFrom('calls')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('settled', '=', true)
      .executeTakeFirstOrThrow();
    return Number(n) === ids.length;
  });

  expect(answers).toBeGreaterThan(50);
  expect([...seen]).toEqual(expect.arrayContaining(['gateway_limit', 'ready', 'retry_delay']));
  expect(await waiting(batchId)).toMatchObject({ total: 0, sum: 0, sentence: 'No call waits.' });
  expect((await sql`select * from batch_waits`.execute(db())).rows).toEqual([]);
});

test('as many as are said to be ready are claimed next, whatever the state of gateway, batch and agents', async () => {
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 20 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 12, 100));
  const others = await testEnv.calls(gateway, null, numbersEndingIn(7, 8, 500));
  const states = fc.record({
    ...{ lines: fc.integer({ min: 1, max: 12 }), rate: fc.constantFrom(0.5, 1, 3, 20), slots: fc.nat(12) },
    ...{
      reserved: fc.constantFrom(0, 0, 1, 3, 6),
      ofBatch: fc.option(fc.integer({ min: 1, max: 6 })),
      cap: fc.option(fc.nat(6)),
    },
    ...{ live: fc.nat(4), claimed: fc.nat(3), liveOfOthers: fc.nat(4), pace: fc.constantFrom(0.1, 0.5, 1) },
    suspended: fc.constantFrom('no', 'until-later', 'to-be-probed'),
    ...{ paused: fc.boolean(), real: fc.boolean() },
  });
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      const { suspended } = state;
      await sql`update call_attempts set phase = 'queued', due_at = now() - interval '1 second', claimed_by = null`.execute(
        db(),
      );
      await sql`update call_attempts set due_at = 'infinity' where lane = ''`.execute(db());
      await sql`update gateways set max_concurrent_calls = ${state.lines}, reserved_calls = ${state.reserved},
        calls_per_second = ${state.rate}`.execute(db());
      await sql`
        update gateway_admission set pace = ${state.pace}, pace_changed_at = now(), concurrency_cap = ${state.cap},
          concurrency_changed_at = now(),
          suspended_since = case when ${suspended} <> 'no' then now() - interval '1 minute' end,
          probe_at = case when ${suspended} = 'until-later' then now() + interval '1 minute' else now() end`.execute(
        db(),
      );
      await sql`update batches set max_concurrent_calls = ${state.ofBatch}, paused = ${state.paused}`.execute(db());
      await announceAgentWorker(db(), { id: 'w', region: 'default', slots: state.slots, used: 0, state: 'ready' });
      const live = [...ids.slice(0, state.live), ...others.slice(0, state.liveOfOthers)];
      const claimed = ids.slice(state.live, state.live + state.claimed);
      const hold = (callIds: readonly string[], phase: string) =>
        sql`update call_attempts set phase = ${phase}, claimed_by = ${me}, claimed_at = now(),
            dialed_at = now() - interval '1 hour' where call_id = any (${callIds}::uuid[])`.execute(db());
      await hold(live, 'ringing');
      await hold(claimed, 'claimed');
      // A ringing call of the batch is not waiting.
      await sql`update calls set status = case when id = any (${live}::uuid[]) then 'dialing' else 'pending' end`.execute(
        db(),
      );

      const said = await waiting(batchId, { OUTDIAL_PROVIDER: state.real ? 'livekit' : 'simulator' });
      const ready = (said.counts.ready ?? 0) - (state.paused || suspended === 'until-later' ? 0 : claimed.length);
      const taken = await claim(gateway.id, state.real ? ['default'] : []);
      expect({ state, said: said.counts, ready }).toEqual({ state, said: said.counts, ready: taken.length });
    }),
    { numRuns: 150, seed: 20_261_123 },
  );
});
