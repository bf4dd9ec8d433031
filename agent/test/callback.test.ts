import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueAttempts } from '../../db/queries/calls/queue-attempts.js';
import { type Database, openDatabase } from '../../db/client.js';
import { aRunningBatch } from '../../test/integration/orchestration/running-batch.js';
import { testDatabase } from '../../test/setup/database.js';
import { aTenant, type Tenant } from '../../test/workflow/fixtures.js';
import { endAttempts, moveTo, queuedAttempts } from '../../test/workflow/play-dialer.js';
import { clockOfCallee, promiseCallback } from '../conversation/callback.js';

let database: Database;
let tenant: Tenant;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 3, name: 'test' });
  closers.push(
    () => database.close(),
    () => own.close(),
  );
  tenant = await aTenant(database.db);
});
afterAll(async () => {
  for (const close of closers) await close();
});

// A Monday; 08:00 in New York
const now = new Date('2027-03-01T13:00:00Z');
const rules = { withinDays: 14, most: 2 };

/** A call of a batch that has been answered. */
async function talking(fields: Parameters<typeof aRunningBatch>[3] = {}) {
  const { db } = database;
  const { accountId } = tenant;
  const { batchId, callIds } = await aRunningBatch(db, tenant, 1, fields);
  const [callId = ''] = callIds;
  await queueAttempts(db, { accountId, batchId, attempts: [[callId, 1]] }, new Date());
  const attempts = await queuedAttempts(db, batchId);
  await moveTo(db, attempts, 'answered');
  const row = () =>
    db
      .selectFrom('calls')
      .select(['callback_at as at', 'callback_attempt as attempt', 'callbacks as promises', 'status'])
      .where('id', '=', callId)
      .executeTakeFirstOrThrow();
  const asks = (time: string, most = rules.most) =>
    promiseCallback(db, { accountId, callId, number: '+12125550100' }, time, { ...rules, most }, now);
  const hangUp = () => endAttempts(db, attempts, 'answered');
  return { callId, asks, row, hangUp };
}

// shows: callbacks.agent
test('a time that the callee names is promised by their own clock, is said back, and can be changed while they speak', async () => {
  const { asks, row } = await talking();
  expect(await asks('2027-03-02T17:00')).toContain('Promised for 17:00 in New York on Tuesday.');
  expect(await row()).toEqual({
    ...{ at: new Date('2027-03-02T22:00:00Z'), attempt: 2, promises: 1, status: 'in-progress' },
  });
  expect(await asks('2027-03-02T18:30', 1)).toContain('18:30 in New York');
  expect(await row()).toMatchObject({ at: new Date('2027-03-02T23:30:00Z'), promises: 1 });
});

test.each([
  ['2027-03-01T07:59', 'it is Monday 2027-03-01 08:00 now'],
  ['2027-03-16T17:00', 'for the next 14 days only'],
  ['tomorrow at five', 'YYYY-MM-DDTHH:MM'],
  ['2027-02-30T17:00', 'YYYY-MM-DDTHH:MM'],
  ['2027-03-02T17:00Z', 'YYYY-MM-DDTHH:MM'],
])('%s cannot be promised, and the agent is told why', async (time, words) => {
  const { asks, row } = await talking();
  expect(await asks(time)).toContain(words);
  expect(await row()).toMatchObject({ at: null, promises: 0 });
});

test('outside the calling window the agent offers the next hours', async () => {
  const callingWindow = { from: '09:00', until: '18:00', daysOfWeek: [1, 2, 3, 4, 5], timezone: 'recipient' };
  const { callId, asks, row } = await talking({ calling_window: JSON.stringify(callingWindow) });
  await database.db
    .updateTable('calls')
    .set({ time_zones: ['America/Chicago'] })
    .where('id', '=', callId)
    .execute();
  expect(await asks('2027-03-02T19:00')).toContain('The next hours begin at 09:00 in Chicago on Wednesday');
  expect(await row()).toMatchObject({ at: null });
  expect(await asks('2027-03-03T09:00')).toContain('Promised for 09:00 in Chicago on Wednesday');
});

test('so many promises are made to one recipient, and none in a call that is over or of no batch', async () => {
  const { callId, asks, row, hangUp } = await talking();
  await database.db.updateTable('calls').set({ callbacks: 2 }).where('id', '=', callId).execute();
  expect(await asks('2027-03-02T17:00')).toContain('as many calls as are allowed');
  await database.db.updateTable('calls').set({ callbacks: 0 }).where('id', '=', callId).execute();
  await hangUp();
  expect(await asks('2027-03-02T17:00')).toContain('No call can be promised');
  expect(await row()).toMatchObject({ at: null });
});

test('a recipient who has a zone of their own names times by it, and the model is told the time by the same clock', async () => {
  const { callId, asks, row } = await talking();
  await database.db
    .updateTable('calls')
    .set({ time_zones: ['America/Los_Angeles'] })
    .where('id', '=', callId)
    .execute();
  expect(clockOfCallee('+12125550100', 'America/Los_Angeles', now)).toBe(
    'For the callee it is Monday 2027-03-01 05:00.',
  );
  expect(await asks('2027-03-01T07:30')).toContain('Promised for 07:30 in Los Angeles.');
  expect(await row()).toMatchObject({ at: new Date('2027-03-01T15:30:00Z') });
});

test('outside the hours of the guardrails the agent offers the next ones', async () => {
  const { db } = database;
  const { accountId } = tenant;
  const calling_hours = JSON.stringify({ from: '10:00', until: '18:00', daysOfWeek: [1, 2, 3, 4, 5] });
  await db.insertInto('guardrails').values({ account_id: accountId, calling_hours }).execute();
  try {
    const { asks, row } = await talking();
    expect(await asks('2027-03-02T19:00')).toContain('The next hours begin at 10:00 in New York on Wednesday');
    expect(await row()).toMatchObject({ at: null });
    expect(await asks('2027-03-03T10:00')).toContain('Promised for 10:00 in New York on Wednesday');
  } finally {
    await db.deleteFrom('guardrails').where('account_id', '=', accountId).execute();
  }
});

test('the model is told what time it is for the callee, if the number says where they may be', () => {
  expect(clockOfCallee('+12125550100', null, now)).toBe('For the callee it is Monday 2027-03-01 08:00.');
  expect(clockOfCallee('+18005550100', null, now)).toBe('');
});
