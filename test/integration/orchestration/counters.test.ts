import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { type Database, openDatabase } from '../../../db/client.js';
import { findBatchStats } from '../../../db/queries/batches/batches.js';
import { cancelStep } from '../../../db/queries/batches/cancel.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { recordStatuses } from '../../../domain/call/call.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 10, name: 'test' });
  tenant = await aTenant(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const step = fc.record({
  batch: fc.nat(1),
  move: fc.constantFrom('queue', 'dial', 'answer', 'settle', 'retry', 'cancel'),
  of: fc.nat(7),
  outcome: fc.constantFrom('answered', 'failed', 'not-answered', 'rejected', 'missed', 'abandoned'),
});

// shows: batches.stats
test('a batch’s counters are the counts of its calls, whatever happened to them and however much of it at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), async (rounds) => {
      const { db } = database;
      const batches = [await aRunningBatch(db, tenant, 8), await aRunningBatch(db, tenant, 8)];
      await giveZones();
      const attemptsMade = new Map<string, number>();
      const make = async ({ batch, move, of, outcome }: (typeof rounds)[number][number]): Promise<void> => {
        const { batchId, callIds } = batches[batch]!;
        const queued = (await queuedAttempts(db, batchId)).slice(0, of);
        if (move === 'queue') {
          const attempts = callIds.map((callId) => [callId, (attemptsMade.get(callId) ?? 0) + 1] as const);
          await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, new Date());
        } else if (move === 'dial' || move === 'answer') {
          await moveTo(db, queued, move === 'dial' ? 'dialing' : 'answered');
        } else if (move === 'cancel') {
          await sql`update batches set status = 'cancelling', cancel_mode = 'immediate' where id = ${batchId}`.execute(
            db,
          );
          await cancelStep(db, tenant.accountId, batchId);
        } else {
          const ended = await endAttempts(db, queued, outcome, move === 'retry' ? 1 : null);
          for (const { callId, attempt } of ended) attemptsMade.set(callId, attempt);
        }
      };
      // The steps of a round run at once, each on a connection of its own.
      for (const round of rounds) await Promise.all(round.filter(isAlone(round)).map(make));

      for (const { batchId } of batches) {
        expect(await counters(batchId)).toEqual(await counts(batchId));
        expect(await waitsKept(batchId)).toEqual(await waitsCounted(batchId));
      }
    }),
    { numRuns: 25, seed: 20_261_121 },
  );
});

test('talk time that retries take away leaves a sum of fractions that may miss nothing by a hair: that is stored too', async () => {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, 2);
  const [one, other] = callIds;
  const talked = (id: string | undefined, seconds: number | null) =>
    database.db
      .updateTable('calls')
      .set({ talk_seconds: seconds, status: 'answered' })
      .where('id', '=', id ?? '')
      .execute();
  await talked(one, 0.7);
  await talked(other, 0.1);
  await talked(one, null);
  await talked(other, null);
  const { talkSeconds } = (await findBatchStats(database.db, tenant.accountId, batchId)) ?? {};
  expect(talkSeconds).toBe(0);
});

/** Two dialers never end the same attempts: of a round, one step per batch plays the dialer. */
const isAlone =
  <S extends { readonly batch: number; readonly move: string }>(round: readonly S[]) =>
  (candidate: S): boolean =>
    candidate.move === 'cancel' ||
    candidate.move === 'queue' ||
    round.find((each) => each.batch === candidate.batch && !['cancel', 'queue'].includes(each.move)) === candidate;

/** Half of the calls have zones, a quarter wait for the guardrails, a third for an instant of their own. */
async function giveZones(): Promise<void> {
  const { db } = database;
  await sql`update calls set time_zones = array['UTC'] where position % 2 = 0 and time_zones is null`.execute(db);
  await sql`update calls set next_attempt_at = now() + interval '2 hours', not_before = now() + interval '2 hours'
    where position % 3 = 0 and not_before is null and status = 'pending'`.execute(db);
  await sql`update calls set held_until = now() + interval '1 hour', held_by = 'daily_limit'
    where position % 4 = 0 and held_until is null`.execute(db);
}

async function waitsKept(batchId: string): Promise<unknown> {
  const { rows } = await sql`
    select zones, hold, due, calls from batch_waits where batch_id = ${batchId} order by 1, 2, 3`.execute(database.db);
  return rows;
}

async function waitsCounted(batchId: string): Promise<unknown> {
  const { rows } = await sql`
    select w.zones, w.hold, w.due, count(*)::integer as calls
    from calls c cross join lateral wait_of(c.time_zones, c.next_attempt_at, c.not_before, c.held_until, c.held_by) w
    where c.batch_id = ${batchId} and c.status in ('pending', 'retrying') and (w.zones <> '' or w.hold <> '')
    group by 1, 2, 3 order by 1, 2, 3`.execute(database.db);
  return rows;
}

async function counters(batchId: string): Promise<Record<string, number>> {
  const row = await database.db
    .selectFrom('batch_counters')
    .selectAll()
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const found = new Map<string, unknown>(Object.entries(row));
  return Object.fromEntries(
    [...recordStatuses, 'attempts', 'human', 'machine'].map((name) => [
      name,
      Number(found.get(name.replaceAll('-', '_'))),
    ]),
  );
}

async function counts(batchId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number; attempts: number; human: number; machine: number }>`
    select status, count(*)::integer as count, sum(attempts_made)::integer as attempts,
      count(*) filter (where answered_by = 'human')::integer as human,
      count(*) filter (where answered_by = 'machine')::integer as machine
    from calls where batch_id = ${batchId} group by status`.execute(database.db);
  const count = (status: string): number => rows.find((row) => row.status === status)?.count ?? 0;
  return {
    ...Object.fromEntries(recordStatuses.map((status) => [status, count(status)])),
    attempts: rows.reduce((sum, row) => sum + row.attempts, 0),
    human: rows.find(({ status }) => status === 'answered')?.human ?? 0,
    machine: rows.find(({ status }) => status === 'answered')?.machine ?? 0,
  };
}
