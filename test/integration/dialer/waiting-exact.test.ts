import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, numbersEndingIn } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
  gateway = await testEnv.gateway({ callsPerSecond: 100, maxConcurrentCalls: 100 });
});
afterAll(() => testEnv.close());

const db = () => testEnv.database.db;

/** What ends of attempts have planned, as the calls have it. */
const notePlans = (batchId: string) =>
  sql`
  insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at, phase, outcome,
    ended_at, next_attempt_at)
  select id, 1, account_id, batch_id, gateway_id, position, to_number, now(), 'ended', 'missed', now(), next_attempt_at
  from calls where batch_id = ${batchId} and next_attempt_at is distinct from not_before
  on conflict (call_id, number) do update set phase = 'ended', outcome = 'missed', next_attempt_at = excluded.next_attempt_at`.execute(
    db(),
  );

test.each(['retry_delay', 'callback'] as const)(
  'who waits for a %s is ready from its very instant on, and not before',
  async (hold) => {
    const me = randomUUID();
    await startLease(db(), { id: me, host: 'here', pid: 1 }, 600);
    const batchId = await testEnv.batch(gateway);
    const callIds = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 54, 100));
    // At nearly any moment, some lie before and some after now within the same 30 seconds.
    const seconds = callIds.map((_, place) => (place < 27 ? place - 28 : place - 25));
    await sql`delete from call_attempts`.execute(db());
    await sql`
    update calls c set status = 'retrying', attempts_made = 1, next_attempt_at = now() + z.seconds * interval '1 second',
      held_until = case when ${hold} = 'callback' then now() + z.seconds * interval '1 second' end,
      held_by = case when ${hold} = 'callback' then 'callback' end,
      time_zones = case when z.seconds % 2 = 0 then array['UTC'] end
    from unnest(${callIds}::uuid[], ${seconds}::integer[]) as z (id, seconds) where c.id = z.id`.execute(db());
    await notePlans(batchId);
    for (const callId of callIds.slice(0, 27)) await testEnv.queue(callId, 2, new Date(Date.now() - 1_000));

    const { next } = await db()
      .selectFrom('calls')
      .select((eb) => eb.fn.min('next_attempt_at').as('next'))
      .where('next_attempt_at', '>', new Date())
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow();
    const { counts, until } = await waitingOfBatch(db(), testEnv.accountId, batchId);
    expect([counts, until[hold]]).toEqual([{ ready: 27, [hold]: 27 }, next?.toISOString()]);
    await sql`update gateway_admission set next_claim_at = clock_timestamp()`.execute(db());
    expect(await claimAttempts(db(), me, 200, [])).toHaveLength(27);
  },
);

test('who waits for an instant is counted as a look at each call would, whatever holds them', async () => {
  const batchId = await testEnv.batch(gateway);
  const callIds = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 12, 300));
  const second = fc.integer({ min: -70, max: 70 });
  const changes = fc.array(
    fc.record({
      place: fc.nat(callIds.length - 1),
      status: fc.constantFrom('pending', 'retrying', 'dialing', 'failed'),
      next: fc.option(second),
      own: fc.boolean(),
      held: fc.option(second, { freq: 2 }),
      zones: fc.constantFrom(null, ['UTC'], ['America/Chicago', 'UTC']),
    }),
    { minLength: 1, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      for (const { place, status, next, own, held, zones } of all) {
        await sql`
          update calls set status = ${status}, time_zones = ${zones}::text[],
            next_attempt_at = now() + ${next}::integer * interval '1 second',
            not_before = case when ${own} then now() + ${next}::integer * interval '1 second' end,
            -- Guardrails hold until a full minute.
            held_until = date_trunc('minute', now() + ${held}::integer * interval '1 second'),
            held_by = case when ${held}::integer is not null then 'guardrail_hours' end
          where id = ${callIds[place]}`.execute(db());
      }
      await notePlans(batchId);
      const { rows } = await sql<{
        said: [string, string, string | null, number][];
        counted: [string, string, number][];
      }>`
        select groups_of_waits(${batchId}) as said, (
          select coalesce(json_agg(json_build_array(g.zones, g.hold, g.calls)), '[]') from (
            select w.zones, z.hold, count(*) as calls from calls c
            cross join lateral wait_of(c.time_zones, c.next_attempt_at, c.not_before, c.held_until, c.held_by) w
            cross join lateral (select case when w.instant > statement_timestamp() then w.hold else '' end as hold) z
            where c.batch_id = ${batchId} and c.status in ('pending', 'retrying') group by 1, 2) g) as counted`.execute(
        db(),
      );
      const [row] = rows;
      const sums = (groups: readonly (readonly [string, string, number])[]) => {
        const found: Record<string, number> = {};
        for (const [zones, hold, calls] of groups) found[`${zones} ${hold}`] = (found[`${zones} ${hold}`] ?? 0) + calls;
        delete found[' ']; // Nothing is known of them: they count among the others.
        return found;
      };
      expect(sums((row?.said ?? []).map(([zones, hold, , calls]) => [zones, hold, calls]))).toEqual(
        sums(row?.counted ?? []),
      );
    }),
    { numRuns: 60 },
  );
});
