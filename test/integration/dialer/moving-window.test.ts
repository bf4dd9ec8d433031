import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { endMove, moveQueuePiece, movingWindow, storeZones } from '../../../db/queries/batches/window.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { calleeHours, deferAttempts } from '../../../db/queries/dialer/judged-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { writeRequeues } from '../../../db/queries/dialer/commit-progress.js';
import { closedWindows, moveToOpenings } from '../../../db/queries/dialer/queue-sweep.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { sweepQueue } from '../../../dialer/queue-sweep.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from '../orchestration/running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 5, name: 'test' });
  tenant = await aTenant(database.db);
});
afterAll(async () => {
  await database.close();
  await own.close();
});

const process = uuidv7();
const claim = async () => (await database.pool.query('select * from claim_attempts($1, 10)', [process])).rows.length;
const wake = () => database.pool.query('update gateway_admission set next_claim_at = now()');
const gate = async (callId: string) => {
  const held = await database.pool.query<{ claim_id: string }>(
    'select claim_id from call_attempts where call_id = $1',
    [callId],
  );
  const claimId = held.rows[0]?.claim_id ?? '';
  // A busy machine may ask the gate long after the slot was set.
  const judged = { revision: '0', until: null, patienceMs: 600_000 };
  const attempt = { callId, attempt: 1, claimId, invite: 1, room: 'room', ...judged };
  const [answer] = await gateAttempts(database.db, process, [attempt]);
  return answer?.refusal;
};

test('while its calling window moves nothing of a batch is claimed, and nothing that was claimed passes the gate', async () => {
  const { db, pool } = database;
  await pool.query(`insert into dialer_processes (id, host, pid, lease_until) values ($1, 'here', 1, 'infinity')`, [
    process,
  ]);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 2);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: attempts.slice(0, 1) }, new Date());
  expect(await claim()).toBe(1);
  await pool.query('update call_attempts set dial_at = clock_timestamp()');

  await db.updateTable('batches').set({ window_moving: true }).where('id', '=', batchId).execute();
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, new Date());
  await wake();
  expect(await claim()).toBe(0);
  expect(await gate(callIds[0]!)).toBe('held');

  const moving = await movingWindow(db, tenant.accountId, batchId);
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(true);
  expect(await claim()).toBe(1);
  await pool.query('update call_attempts set dial_at = clock_timestamp() where call_id = $1', [callIds[0]]);
  expect(await gate(callIds[0]!)).toBeNull();
});

test('the gate tells for how long the window and the calling hours of an attempt are open still', async () => {
  const { db, pool } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, new Date());
  await wake();
  expect(await claim()).toBe(1);
  const ask = async (closesInSeconds: number | null, untilMs: number | null) => {
    const { rows } = await pool.query<{ claim_id: string; until: Date | null }>(
      `update call_attempts set phase = 'claimed', invite = 0, dial_at = clock_timestamp(),
         not_after = coalesce(clock_timestamp() + $2::float8 * interval '1 second', 'infinity')
       where call_id = $1 returning claim_id, clock_timestamp() + $3::float8 * interval '1 millisecond' as until`,
      [callIds[0], closesInSeconds, untilMs],
    );
    const { claim_id: claimId = '', until = null } = rows[0] ?? {};
    const attempt = { callId: callIds[0]!, attempt: 1, claimId, invite: 1, room: 'room', revision: '0', until };
    const [answer] = await gateAttempts(db, process, [{ ...attempt, patienceMs: 600_000 }]);
    expect(answer?.refusal).toBeNull();
    return answer?.closesInMs;
  };
  expect(await ask(null, null)).toBeNull();
  const byWindow = await ask(3_600, null);
  expect(byWindow).toBeGreaterThan(3_000_000);
  expect(byWindow).toBeLessThanOrEqual(3_600_000);
  const byHours = await ask(3_600, 1_800_000);
  expect(byHours).toBeGreaterThan(1_200_000);
  expect(byHours).toBeLessThanOrEqual(1_800_000);
});

test('a window that is changed again while the queue moves keeps the batch held', async () => {
  const { db } = database;
  const { batchId } = await aRunningBatch(db, tenant, 1, { window_moving: true });
  const moving = await movingWindow(db, tenant.accountId, batchId);
  const calling_window = JSON.stringify({ from: '09:00', until: '17:00', daysOfWeek: [1], timezone: 'UTC' });
  await db.updateTable('batches').set({ calling_window }).where('id', '=', batchId).execute();
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(false);
  expect(await movingWindow(db, tenant.accountId, batchId)).toMatchObject({ window: { from: '09:00' } });
});

const daily = (from: string, until: string, timezone: string) =>
  JSON.stringify({ from, until, daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone });

test('a dialer that stands still while it moves calls to the next opening does not move them to that of an earlier window', async () => {
  const { db, pool } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, { calling_window: daily('08:00', '09:00', 'UTC') });
  const attempts = callIds.map((callId) => [callId, 1] as const);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, new Date());
  const close = () =>
    pool.query(`update call_attempts set not_after = clock_timestamp() - interval '1 minute' where batch_id = $1`, [
      batchId,
    ]);
  await close();
  const closed = (await closedWindows(db, 100)).filter(({ callId }) => callIds.includes(callId));
  expect(closed).toHaveLength(1);

  await db
    .updateTable('batches')
    .set({ calling_window: daily('10:00', '11:00', 'UTC') })
    .where('id', '=', batchId)
    .execute();
  await close();
  const opensAt = new Date(Date.now() + 3_600_000);
  const move = async (all: typeof closed) => {
    await moveToOpenings(
      db,
      all.map((attempt) => ({ ...attempt, opensAt, closesAt: new Date(opensAt.getTime() + 3_600_000) })),
    );
    const { due_at: dueAt } = await db
      .selectFrom('call_attempts')
      .select('due_at')
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow();
    return dueAt.getTime() === opensAt.getTime();
  };
  expect(await move(closed)).toBe(false);
  expect(await move(await closedWindows(db, 100))).toBe(true);
});

test('a call whose time zone is found out while it is being queued is queued by that zone, not for any hour', async () => {
  const { db } = database;
  // An hour that is not this one, and that ends on the day on which it begins.
  const opens = (new Date().getUTCHours() + 1) % 23;
  const [hour, nextHour] = [opens, opens + 1].map((at) => String(at).padStart(2, '0')) as [string, string];
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, {
    calling_window: daily(`${hour}:00`, `${nextHour}:00`, 'recipient'),
  });
  const attempts = callIds.map((callId) => [callId, 1] as const);
  // Between the statements of queueAttempts another process stores what it has found.
  const zones = [{ callId: callIds[0]!, zones: ['Etc/UTC'] }];
  let stored = 0;
  const interrupted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if ((stored += 1) === 1) await storeZones(db, tenant.accountId, zones);
      return result;
    },
  });
  await queueAttempts(interrupted, { accountId: tenant.accountId, batchId, attempts }, new Date());
  expect(stored).toBeGreaterThan(1);
  const queued = await db
    .selectFrom('call_attempts')
    .select(['due_at', 'not_after'])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  expect(queued.due_at.toISOString().slice(11, 16)).toBe(`${hour}:00`);
  expect(queued.not_after.toISOString().slice(11, 16)).toBe(`${nextHour}:00`);
});

test('a call that was found to wait by a window goes back to be judged again if the window has been changed since', async () => {
  const { db } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, { calling_window: daily('08:00', '09:00', 'UTC') });
  const callId = callIds[0]!;
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callId, 1]] }, new Date());
  const dueAt = new Date(Date.now() + 3_600_000);
  const waits = async ([hours]: Awaited<ReturnType<typeof calleeHours>>) => {
    const wait = {
      reason: 'guardrail_hours' as const,
      callId,
      attempt: 1,
      claimId: null,
      dueAt,
      notAfter: null,
      revision: '0',
    };
    await deferAttempts(db, [{ ...wait, hoursAsRead: hours!.asRead }]);
    const query = db.selectFrom('call_attempts').select('due_at').where('batch_id', '=', batchId);
    return (await query.executeTakeFirstOrThrow()).due_at.getTime() === dueAt.getTime();
  };
  const asJudged = await calleeHours(db, [callId]);
  const calling_window = daily('10:00', '11:00', 'UTC');
  await db.updateTable('batches').set({ calling_window }).where('id', '=', batchId).execute();
  expect(await waits(asJudged)).toBe(false);
  expect(await waits(await calleeHours(db, [callId]))).toBe(true);
});

const timesOf = (batchId: string) =>
  database.db
    .selectFrom('call_attempts')
    .select(['due_at as dueAt', sql<string>`not_after::text`.as('notAfter'), 'phase'])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();

test('a call that the carrier sends back after its window was changed waits for the opening of the new one', async () => {
  const { db, pool } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  const callId = callIds[0]!;
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callId, 1]] }, new Date());
  await wake();
  expect(await claim()).toBe(1);
  await pool.query('update call_attempts set dial_at = clock_timestamp() where call_id = $1', [callId]);
  expect(await gate(callId)).toBeNull();

  const opens = (new Date().getUTCHours() + 2) % 23;
  const [from, until] = [opens, opens + 1].map((hour) => `${String(hour).padStart(2, '0')}:00`) as [string, string];
  const changed = { calling_window: daily(from, until, 'UTC'), window_moving: true };
  await db.updateTable('batches').set(changed).where('id', '=', batchId).execute();
  const moving = await movingWindow(db, tenant.accountId, batchId);
  await moveQueuePiece(db, tenant.accountId, batchId, moving!, -1, new Date());
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(true);
  expect(await timesOf(batchId)).toMatchObject({ phase: 'dialing' });

  const { rows } = await pool.query<{ claim_id: string }>('select claim_id from call_attempts where call_id = $1', [
    callId,
  ]);
  const sentBack = { callId, attempt: 1, invite: 1, claimId: rows[0]!.claim_id, afterSeconds: 1, freeTries: 1 };
  const answer = { throttled: false, sipStatusCode: 503, sipPhrase: null, reason: 'Service Unavailable' };
  await db.transaction().execute((tx) => writeRequeues(tx, [{ ...sentBack, ...answer }]));
  const { dueAt, phase } = await timesOf(batchId);
  expect({ phase, at: dueAt.toISOString().slice(11, 16) }).toEqual({ phase: 'queued', at: from });
  expect(dueAt.getTime()).toBeGreaterThan(Date.now());
});

test('a call whose batch has no window any more is due at once when its old window ends, and holds up no sweep', async () => {
  const { db, pool } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callIds[0]!, 1]] }, new Date());
  await pool.query(`update call_attempts set not_after = clock_timestamp() - interval '1 minute' where batch_id = $1`, [
    batchId,
  ]);
  await sweepQueue(db, new Date());
  const { dueAt, notAfter } = await timesOf(batchId);
  expect(notAfter).toBe('infinity');
  expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test('a move that another has overtaken gives no call the times of a window that was changed since', async () => {
  const { db } = database;
  const opens = (new Date().getUTCHours() + 2) % 23;
  const [from, until] = [opens, opens + 1].map((hour) => `${String(hour).padStart(2, '0')}:00`) as [string, string];
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, { window_moving: true });
  const ref = [db, tenant.accountId, batchId] as const;
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callIds[0]!, 1]] }, new Date());
  const overtaken = await movingWindow(...ref);
  const calling_window = daily(from, until, 'UTC');
  await db.updateTable('batches').set({ calling_window }).where('id', '=', batchId).execute();
  const moving = await movingWindow(...ref);
  await moveQueuePiece(...ref, moving!, -1, new Date());
  // Between two pieces of a later move, and after its end.
  for (const isOver of [false, true]) {
    if (isOver) expect(await endMove(...ref, moving!)).toBe(true);
    const times = await timesOf(batchId);
    expect(times.dueAt.toISOString().slice(11, 16)).toBe(from);
    await moveQueuePiece(...ref, overtaken!, -1, new Date());
    expect(await timesOf(batchId)).toEqual(times);
  }
});
