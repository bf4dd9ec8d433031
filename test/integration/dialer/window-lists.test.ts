import { afterAll, beforeAll, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Database, openDatabase } from '../../../db/client.js';
import { endMove, moveQueuePiece, movingWindow } from '../../../db/queries/batches/window.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { sweepQueue } from '../../../dialer/queue-sweep.js';
import { nextOpening, zonesOfWindow } from '../../../domain/call/calling-window.js';
import { storedWindow } from '../../../domain/call/calling-window-answer.js';
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

const days = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.now() + (from + day) * 86_400_000).toISOString().slice(0, 10),
  );
const wholeDay = { from: '00:00', until: '24:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' };
const closedFor = (count: number) => ({
  timezone: 'UTC',
  windows: [
    { ...wholeDay, until: '12:00' },
    { ...wholeDay, from: '12:00', except: days(-1, count + 1) },
  ],
});

const timesOf = (batchId: string) =>
  database.db
    .selectFrom('call_attempts')
    .select(['due_at as dueAt', 'not_after as notAfter', 'phase'])
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();

const claimAll = async (): Promise<number> => {
  const dialer = uuidv7();
  const { pool } = database;
  await pool.query(`insert into dialer_processes (id, host, pid, lease_until) values ($1, 'here', 1, 'infinity')`, [
    dialer,
  ]);
  await pool.query('update gateway_admission set next_claim_at = now()');
  return (await pool.query('select * from claim_attempts($1, 10)', [dialer])).rows.length;
};

// shows: window.list
test('on a date that one window of a list excepts nothing is claimed, and what waits has the next opening of the list', async () => {
  const { db, pool } = database;
  const window = closedFor(45);
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, { calling_window: JSON.stringify(window) });
  const now = new Date();
  const attempts = [[callIds[0]!, 1]] as const;
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts }, now);
  const opening = nextOpening(window, zonesOfWindow(window, null, 'UTC'), now)!;
  expect(opening.opensAt.toISOString().slice(0, 10)).toBe(days(45, 1)[0]);
  expect(await timesOf(batchId)).toMatchObject({ dueAt: opening.opensAt, phase: 'queued' });
  expect(await claimAll()).toBe(0);

  await pool.query(`update call_attempts set not_after = now() - interval '1 minute' where batch_id = $1`, [batchId]);
  expect((await sweepQueue(db, new Date())).reports).toEqual([]);
  expect((await timesOf(batchId)).dueAt).toEqual(opening.opensAt);
});

test('a list that a running batch is given takes back what was claimed, before anything passes the gate', async () => {
  const { db } = database;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1);
  await queueAttempts(db, { accountId: tenant.accountId, batchId, attempts: [[callIds[0]!, 1]] }, new Date());
  expect(await claimAll()).toBe(1);
  const calling_window = JSON.stringify(closedFor(2));
  await db.updateTable('batches').set({ calling_window, window_moving: true }).where('id', '=', batchId).execute();
  const moving = await movingWindow(db, tenant.accountId, batchId);
  await moveQueuePiece(db, tenant.accountId, batchId, moving!, -1, new Date());
  expect(await endMove(db, tenant.accountId, batchId, moving!)).toBe(true);
  const { phase, dueAt } = await timesOf(batchId);
  expect({ phase, on: dueAt.toISOString().slice(0, 10) }).toEqual({ phase: 'queued', on: days(2, 1)[0] });
  expect(await claimAll()).toBe(0);
});

test('a process that knows no lists finds no days of the week in a stored list, and cannot work out hours by it', () => {
  for (const window of [closedFor(1), { timezone: 'UTC', window: { ...wholeDay, except: days(0, 1) } }]) {
    const stored = storedWindow(JSON.parse(JSON.stringify(window)));
    for (const field of ['from', 'until', 'daysOfWeek']) expect(stored).not.toHaveProperty(field);
    expect(stored.timezone).toBe('UTC');
  }
});
