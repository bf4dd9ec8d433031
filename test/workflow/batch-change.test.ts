import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeBatch, type BatchChange } from '../../db/queries/batches/change.js';
import type { Opening } from '../../domain/call/calling-window.js';
import { defaultTimezone } from '../../domain/batch/schedule.js';
import { batchRow, queueOf, statusOf, tell } from './batch-row.js';
import { aBatch, aTenant, csvOf, startingAt, type Tenant } from './fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from './play-dialer.js';
import { timeSkippingTestEnv, type TimeSkippingTestEnv } from './test-env.js';

let testEnv: TimeSkippingTestEnv;
let tenant: Tenant;
const open = async (): Promise<void> => {
  testEnv = await timeSkippingTestEnv();
};
const close = (): Promise<void> => testEnv.close();
const becomeTenant = async (): Promise<void> => {
  tenant = await aTenant(testEnv.database.db);
};

const hourMs = 3_600_000;
const clock = () => testEnv.env.currentTimeMs();
const start = (batchId: string) =>
  testEnv.workflows.start('batchCall', batchId, { accountId: tenant.accountId, batchId });
const becomes = (batchId: string, status: string) =>
  testEnv.until(async () => (await statusOf(testEnv.database, batchId)) === status);

/** What PATCH commits; `tell` sends what it wrote to the outbox. */
async function commit(batchId: string, change: BatchChange): Promise<void> {
  const now = new Date(await clock());
  const done = await testEnv.database.db
    .transaction()
    .execute((tx) => changeBatch(tx, tenant.accountId, batchId, change, { now, unscheduledZone: defaultTimezone }));
  expect(done).toBe('done');
}
async function change(batchId: string, what: BatchChange): Promise<void> {
  await commit(batchId, what);
  await testEnv.outbox.sendDue();
}
const scheduleAt = (ms: number) => ({
  date: new Date(ms).toISOString().slice(0, 10),
  time: new Date(ms).toISOString().slice(11, 16),
  startsAt: new Date(ms),
  timezone: 'UTC',
});

async function aScheduledBatch(inMs: number): Promise<string> {
  const batchId = await aBatch(testEnv.database.db, tenant, csvOf(2), startingAt(new Date((await clock()) + inMs)));
  await start(batchId);
  await becomes(batchId, 'scheduled');
  return batchId;
}

describe('the start', () => {
  // Each test has its own server: hours are skipped, and would drag along what other tests left waiting.
  beforeEach(open);
  beforeEach(becomeTenant);
  afterEach(close);

  // shows: batches.patch.schedule
  test('a start that is moved to an earlier time is kept', async () => {
    const batchId = await aScheduledBatch(24 * hourMs);
    await change(batchId, { schedule: scheduleAt((await clock()) + hourMs) });

    await testEnv.env.sleep(hourMs - 60_000);
    expect(await statusOf(testEnv.database, batchId)).toBe('scheduled');
    await testEnv.env.sleep(61_000);

    await becomes(batchId, 'running');
  });

  test('a start that is moved to a later time makes no call at the first one, told or not', async () => {
    const told = await aScheduledBatch(hourMs);
    const untold = await aScheduledBatch(hourMs);
    const later = scheduleAt((await clock()) + 3 * hourMs);
    await change(told, { schedule: later });
    // Temporal cannot be reached: the timer of the first start rings, and Postgres says that it is not the time.
    await commit(untold, { schedule: later });
    await testEnv.database.db.deleteFrom('outbox').execute();

    await testEnv.env.sleep(2 * hourMs);
    for (const batchId of [told, untold]) {
      expect(await statusOf(testEnv.database, batchId)).toBe('scheduled');
      expect(await queuedAttempts(testEnv.database.db, batchId)).toEqual([]);
    }
    await testEnv.env.sleep(hourMs + 1_000);

    await becomes(told, 'running');
    await becomes(untold, 'running');
  });

  test('a batch whose schedule is cleared starts at once', async () => {
    const batchId = await aScheduledBatch(24 * hourMs);

    await change(batchId, { schedule: null });

    await becomes(batchId, 'running');
    await queueOf(testEnv, batchId, 2);
    expect(await batchRow(testEnv.database, batchId)).toMatchObject({ timing: 'immediate', scheduled_date: null });
  });

  test('a batch that is given a start while its file is read waits for it', async () => {
    const batchId = await aBatch(testEnv.database.db, tenant, csvOf(2));
    await commit(batchId, { schedule: scheduleAt((await clock()) + hourMs) });

    await start(batchId);

    await becomes(batchId, 'scheduled');
    await testEnv.env.sleep(hourMs + 1_000);
    await becomes(batchId, 'running');
  });
});

/** A window of two hours around now, or one that opens in some hours, by UTC. */
function windowIn(hours: number): NonNullable<BatchChange['callingWindow']> {
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  const opensMs = Date.now() + (hours === 0 ? -1 : hours) * hourMs;
  const until = at(opensMs + 2 * hourMs);
  return {
    from: at(opensMs),
    until: until === '00:00' ? '24:00' : until,
    daysOfWeek: [1, 2, 3, 4, 5, 6, 7],
    timezone: 'UTC',
  };
}

const timesOf = async (batchId: string): Promise<(Opening & { phase: string })[]> =>
  (
    await testEnv.database.db
      .selectFrom('call_attempts')
      .select(['due_at', 'not_after', 'phase'])
      .where('batch_id', '=', batchId)
      .where('phase', '<>', 'ended')
      .orderBy('position')
      .execute()
  ).map(({ due_at: opensAt, not_after: closesAt, phase }) => ({ opensAt, closesAt, phase }));
const moved = (batchId: string) =>
  testEnv.until(async () => !(await batchRow(testEnv.database, batchId)).window_moving);
const opensIn = (opensAt: Date) => Math.round((opensAt.getTime() - Date.now()) / hourMs);

describe('the calling window', () => {
  beforeAll(open);
  beforeEach(becomeTenant);
  afterAll(close);

  // shows: batches.patch.running
  test('a window that is narrowed moves what is in the queue or claimed, and leaves live calls alone', async () => {
    const { db } = testEnv.database;
    const batchId = await aBatch(db, tenant, csvOf(4));
    await start(batchId);
    const [live, claimed] = await queueOf(testEnv, batchId, 4);
    await moveTo(db, [live!], 'answered');
    await moveTo(db, [claimed!], 'claimed');
    const before = await timesOf(batchId);

    await commit(batchId, { callingWindow: windowIn(5) });
    expect((await batchRow(testEnv.database, batchId)).window_moving).toBe(true);
    await testEnv.outbox.sendDue();
    await moved(batchId);

    const [first, ...others] = await timesOf(batchId);
    expect(first).toEqual({ ...before[0]!, phase: 'answered' });
    expect(others.map(({ phase }) => phase)).toEqual(['queued', 'queued', 'queued']);
    for (const { opensAt, closesAt } of others) {
      expect(opensIn(opensAt)).toBe(5);
      expect(closesAt.getTime() - opensAt.getTime()).toBe(2 * hourMs);
    }
  });

  test('a window that is opened or cleared lets what waited be called at once', async () => {
    const { db } = testEnv.database;
    const batches = await Promise.all(
      [windowIn(0), null].map(async (callingWindow) => {
        const batchId = await aBatch(db, tenant, csvOf(2), { calling_window: JSON.stringify(windowIn(6)) });
        await start(batchId);
        await queueOf(testEnv, batchId, 2);
        expect((await timesOf(batchId)).map(({ opensAt }) => opensIn(opensAt))).toEqual([6, 6]);
        return { batchId, callingWindow };
      }),
    );
    for (const { batchId, callingWindow } of batches) {
      await change(batchId, { callingWindow });
      await moved(batchId);
      for (const { opensAt } of await timesOf(batchId)) expect(opensAt.getTime()).toBeLessThanOrEqual(Date.now());
    }
  });

  test('a retry that was planned before goes by the new window', async () => {
    const { db } = testEnv.database;
    const batchId = await aBatch(db, tenant, csvOf(1));
    await start(batchId);
    await tell(
      testEnv,
      await endAttempts(db, await queueOf(testEnv, batchId, 1), 'missed', 60, new Date(await clock())),
    );

    await change(batchId, { callingWindow: windowIn(5) });
    await moved(batchId);
    await testEnv.env.sleep(61_000);

    await queueOf(testEnv, batchId, 1);
    const [retry] = await timesOf(batchId);
    expect(opensIn(retry!.opensAt)).toBe(5);
  });

  test("a window by the callees' own clocks finds their zones, though the file was read without looking for them", async () => {
    const { db } = testEnv.database;
    const csv = 'phone_number,timezone\n+919877012345,\n+12125550100,Europe/Berlin\n';
    const batchId = await aBatch(db, tenant, csv);
    await start(batchId);
    await queueOf(testEnv, batchId, 2);

    await change(batchId, { callingWindow: { ...windowIn(5), timezone: 'recipient' } });
    await moved(batchId);

    const { rows } = await testEnv.database.pool.query<{ time_zones: string[] }>(
      'select time_zones from calls where batch_id = $1 order by position',
      [batchId],
    );
    expect(rows.map((row) => row.time_zones)).toEqual([['Asia/Calcutta'], ['Europe/Berlin']]);
    const [calcutta, berlin] = await timesOf(batchId);
    expect(calcutta!.opensAt).not.toEqual(berlin!.opensAt);
  });

  test('a move of the queue that fails half-way leaves the batch held, and is done again', async () => {
    const { db, pool } = testEnv.database;
    const batchId = await aBatch(db, tenant, csvOf(3));
    await start(batchId);
    const attempts = await queueOf(testEnv, batchId, 3);
    // The move waits for this row, and is cut off there.
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select 1 from calls where id = $1 for update', [attempts[1]!.callId]);
    await commit(batchId, { callingWindow: windowIn(5) });
    await testEnv.outbox.sendDue();
    const waiting = `select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ilike '%for no key update%'`;
    await testEnv.until(async () => (await pool.query(waiting)).rows.length > 0);
    await pool.query(`select pg_cancel_backend(pid) from (${waiting}) w`);
    expect((await batchRow(testEnv.database, batchId)).window_moving).toBe(true);
    await other.query('rollback');
    other.release();

    await moved(batchId);

    for (const { opensAt } of await timesOf(batchId)) expect(opensIn(opensAt)).toBe(5);
  });
});
