import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { limitNumber } from './limited-number.js';
import { type DialerTestEnv, dialerTestEnv, numbersEndingIn } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let me: string;
beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 30 }, { maxConcurrentCallsPerAccount: 6 });
  me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
});
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;

const states = fc.record({
  lines: fc.integer({ min: 1, max: 12 }),
  ...{ live: fc.nat(4), talking: fc.nat(2), claimed: fc.nat(3), liveOfOthers: fc.nat(4) },
  ...{ perDay: fc.option(fc.integer({ min: 1, max: 6 })), today: fc.nat(6) },
  ...{ spacing: fc.option(fc.constantFrom(1, 30)), lastCall: fc.constantFrom(-60, -10, 0) },
  ...{ stopAfter: fc.option(fc.integer({ min: 1, max: 5 })), answered: fc.nat(4) },
  stopsIn: fc.constantFrom(null, -5, 3_600),
  ...{ sentBack: fc.nat(5), because: fc.constantFrom('rate', 'channels', 'number', 'carrier') },
  notBefore: fc.nat(3),
});

test('as many as are said to be ready are claimed next, whatever their number, their account and the stops of the batch leave', async () => {
  const gateway = await testEnv.gateway({ maxConcurrentCalls: 20 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 12, 100));
  const others = await testEnv.calls(gateway, null, numbersEndingIn(7, 8, 500));
  await limitNumber(testEnv, gateway, { maxCallsPerDay: 100, minSecondsBetweenCalls: null }, 'UTC');
  await fc.assert(
    fc.asyncProperty(states, async (state) => {
      await sql`update call_attempts set phase = 'queued', due_at = now() - interval '1 second', claimed_by = null,
        reason = null, invite = 0`.execute(db());
      await sql`update call_attempts set due_at = 'infinity' where lane = ''`.execute(db());
      await sql`update calls set not_before = null, next_attempt_at = null, status = 'pending' where batch_id = ${batchId}`.execute(
        db(),
      );
      await sql`update gateways set max_concurrent_calls = ${state.lines}, calls_per_second = 20`.execute(db());
      await sql`update batches set stop_after_answered = ${state.stopAfter},
        stop_at = now() + ${state.stopsIn}::integer * interval '1 second' where id = ${batchId}`.execute(db());
      await sql`update counted_numbers set max_calls_per_day = ${state.perDay}, calls = ${state.today},
        day = (now() at time zone 'UTC')::date, min_seconds_between_calls = ${state.spacing},
        last_call_by = now() + ${state.lastCall}::integer * interval '1 second'`.execute(db());

      const live = [...ids.slice(0, state.live), ...others.slice(0, state.liveOfOthers)];
      const claimed = ids.slice(state.live, state.live + state.claimed);
      const rest = ids.slice(state.live + state.claimed);
      const hold = (callIds: readonly string[], phase: string) =>
        sql`update call_attempts set phase = ${phase}, claimed_by = ${me}, claimed_at = now(),
          dialed_at = now() - interval '1 hour' where call_id = any (${callIds}::uuid[])`.execute(db());
      await hold(live, 'ringing');
      await hold(claimed, 'claimed');
      await sql`update calls set status = 'dialing' where id = any (${live}::uuid[])`.execute(db());
      await sql`update calls set status = 'in-progress'
        where id = any (${live.slice(0, state.talking)}::uuid[]) and batch_id is not null`.execute(db());
      await sql`update batch_counters set answered = ${state.answered} where batch_id = ${batchId}`.execute(db());
      const later = async (callIds: readonly string[], because: string | null) =>
        sql`update call_attempts set due_at = now() + interval '50 seconds', reason = ${because}, invite = 1
          where call_id = any (${callIds}::uuid[])`.execute(db());
      await later(rest.slice(0, state.sentBack), state.because);
      const own = rest.slice(state.sentBack, state.sentBack + state.notBefore);
      await later(own, null);
      await sql`update calls set not_before = now() + interval '50 seconds', next_attempt_at = now() + interval '50 seconds'
        where id = any (${own}::uuid[])`.execute(db());

      const said = await waitingOfBatch(db(), testEnv.accountId, batchId);
      const isStopped = state.stopsIn !== null && state.stopsIn < 0;
      const ready = (said.counts.ready ?? 0) - (isStopped ? 0 : claimed.length);
      await sql`update gateway_admission
        set next_claim_at = case when gateway_id = ${gateway.id} then clock_timestamp() else 'infinity' end`.execute(
        db(),
      );
      const taken = await claimAttempts(db(), me, 200, []);
      await sql`update batch_counters set answered = 0 where batch_id = ${batchId}`.execute(db());
      expect([said.sum, said.total]).toEqual([said.counted, said.counted]);
      expect({ state, said: said.counts, ready }).toEqual({ state, said: said.counts, ready: taken.length });
    }),
    { numRuns: 150, seed: 20_261_128 },
  );
});
