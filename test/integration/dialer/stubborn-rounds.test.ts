import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../db/client.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { endLease, requeueClaimedOfDead, startLease, takeOverLegsOfDead } from '../../../db/queries/dialer/lease.js';
import { createDialerMetrics } from '../../../dialer/metrics.js';
import type { PendingDial } from '../../../dialer/pending-dial.js';
import { sweepQueue } from '../../../dialer/queue-sweep.js';
import { createUnsent } from '../../../dialer/unsent.js';
import { upkeepOf } from '../../../dialer/upkeep.js';
import { createLogger } from '../../../platform/logger.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../workflow/play-dialer.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

/** What dialers do again and again for all accounts at once, and a row among it that PostgreSQL refuses whatever is done with it. */

let own: TestDatabase;
let database: Database;
let damaged: Tenant;
let fine: Tenant;
beforeEach(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  [damaged, fine] = [await aTenant(database.db), await aTenant(database.db)];
});
afterEach(async () => {
  await database.close();
  await own.close();
});

/** Running batches of both accounts with queued calls, and one call of the first that PostgreSQL refuses to change. */
async function aStubbornCall(settings: Record<string, unknown> = {}) {
  const { db, pool } = database;
  const callIds: string[] = [];
  for (const tenant of [damaged, fine]) {
    const { accountId } = tenant;
    const batch = await aRunningBatch(db, tenant, 3, settings);
    const attempts = batch.callIds.map((callId) => [callId, 1] as const);
    await queueAttempts(db, { accountId, batchId: batch.batchId, attempts }, new Date());
    callIds.push(...batch.callIds);
  }
  const [stubborn = '', ...others] = callIds;
  const refuse = () =>
    pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin
        raise exception 'what it holds is refused' using errcode = 'data_exception'; end $$;
      create trigger refuse before update on call_attempts for each row when (new.call_id = '${stubborn}') execute function refuse()`);
  return { stubborn, others: others.toSorted(), refuse };
}

/** The calls whose attempt is like this. */
async function callsWith(condition: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select call_id as id from call_attempts where ${condition} order by 1`,
  );
  return rows.map(({ id }) => id);
}

/** A dialer that held all attempts in this phase, and died. */
async function heldByDead(phase: string): Promise<void> {
  const dead = randomUUID();
  await startLease(database.db, { id: dead, host: 'test', pid: 1 }, 60);
  await database.pool.query(
    `update call_attempts set phase = $2, claimed_by = $1, claimed_at = clock_timestamp(), invite = 1, room = 'room', dialed_at = clock_timestamp()`,
    [dead, phase],
  );
  await endLease(database.db, dead);
}

test('a call that PostgreSQL refuses to move to the next opening of its window keeps no other from being moved, and is told', async () => {
  const always = { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' };
  const { stubborn, others, refuse } = await aStubbornCall({ calling_window: JSON.stringify(always) });
  await database.pool.query(`update call_attempts set not_after = clock_timestamp() - interval '1 hour'`);
  await refuse();
  const { unmoved } = await sweepQueue(database.db, new Date());
  expect(unmoved).toMatchObject([{ attempt: { callId: stubborn } }]);
  expect(await callsWith('not_after > clock_timestamp()')).toEqual(others);
});

test('a claim of a dead dialer that PostgreSQL refuses to give back keeps no other from going back', async () => {
  const { stubborn, others, refuse } = await aStubbornCall();
  await heldByDead('claimed');
  await refuse();
  const refused: string[] = [];
  await requeueClaimedOfDead(database.db, randomUUID(), ({ callId }) => refused.push(callId));
  expect(refused).toEqual([stubborn]);
  expect(await callsWith(`phase = 'queued'`)).toEqual(others);
});

test('a leg of a dead dialer that PostgreSQL refuses to hand over keeps no other from being taken over', async () => {
  const { stubborn, others, refuse } = await aStubbornCall();
  await heldByDead('dialing');
  await refuse();
  const refused: string[] = [];
  const taken = await takeOverLegsOfDead(database.db, randomUUID(), 100, ({ callId }) => refused.push(callId));
  expect(refused).toEqual([stubborn]);
  expect(taken.map(({ callId }) => callId).toSorted()).toEqual(others);
});

test('an unsent call that PostgreSQL refuses to give back keeps no other from going back, and is given up', async () => {
  const { others, refuse, stubborn } = await aStubbornCall();
  await heldByDead('claimed');
  const { rows } = await database.pool.query<{ callId: string; claimId: string; gatewayId: string }>(
    'select call_id as "callId", claim_id as "claimId", gateway_id as "gatewayId" from call_attempts',
  );
  await refuse();
  const lines: string[] = [];
  const logger = createLogger('dialer', 'info', { write: (line: string) => void lines.push(line) });
  const unsent = createUnsent({ db: database.db, logger, neverSent: () => undefined });
  unsent.add(rows.map((row) => ({ attempt: { ...row, attempt: 1 }, order: { invite: 1 } }) as unknown as PendingDial));
  await expect.poll(() => callsWith(`phase = 'queued'`)).toEqual(others);
  await unsent.close();
  expect(lines.filter((line) => line.includes(stubborn))).toHaveLength(1);
});

test('figures of a batch that cannot be added up keep those of no other batch from being added up, and are told and counted', async () => {
  const { db, pool } = database;
  const batchIds: string[] = [];
  for (const tenant of [damaged, damaged, fine]) {
    const { accountId } = tenant;
    const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
    await queueAttempts(db, { accountId, batchId, attempts: callIds.map((id) => [id, 1] as const) }, new Date());
    await moveTo(db, await queuedAttempts(db, batchId), 'answered');
    await endAttempts(
      db,
      callIds.map((callId) => ({ callId, attempt: 1, to: '', batchId, position: 0 })),
      'answered',
    );
    batchIds.push(batchId);
  }
  const [tooLarge = '', ...others] = batchIds;
  await sql`update figure_changes set talk_ms = ${String(2n ** 63n - 1n)}::bigint where batch_id = ${tooLarge}`.execute(
    db,
  );
  await pool.query(
    `insert into figures (account_id, batch_id, dimension, day, key, calls, attempts, answered, human, machine, talk_ms)
     values ($1, $2, 'status', '-infinity', 'answered', 0, 0, 0, 0, 0, 1)`,
    [damaged.accountId, tooLarge],
  );

  const lines: string[] = [];
  const logger = createLogger('dialer', 'info', { write: (line: string) => void lines.push(line) });
  const metrics = createDialerMetrics(new Registry());
  const fold = upkeepOf(db, logger, metrics).find(({ does }) => does === 'add up figures');
  await fold?.run();

  const { rows } = await pool.query<{ batch: string }>(`select distinct batch_id as batch from figure_changes`);
  expect(rows).toEqual([{ batch: tooLarge }]);
  const { rows: added } = await pool.query<{ batch: string; talked: boolean }>(
    `select batch_id as batch, sum(answered) = 1 as talked from figures
     where batch_id = any ($1) and dimension = 'status' group by 1 order by 1`,
    [others],
  );
  expect(added).toEqual(others.toSorted().map((batch) => ({ batch, talked: true })));
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { accountId: damaged.accountId, batchId: tooLarge },
  ]);
  expect((await metrics.failures.get()).values).toMatchObject([{ labels: { step: 'add up figures' }, value: 1 }]);
});
