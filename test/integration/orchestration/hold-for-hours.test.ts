import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { holdForHours } from '../../../activities/hold-for-hours.js';
import { type Database, openDatabase } from '../../../db/client.js';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { defaultGuardrails } from '../../../domain/account/guardrails.js';
import { testDatabase, type TestDatabase } from '../../setup/database.js';
import { aTenant, type Tenant } from '../../workflow/fixtures.js';
import { aRunningBatch } from './running-batch.js';

let own: TestDatabase;
let database: Database;
let tenant: Tenant;
beforeAll(async () => {
  own = await testDatabase();
  database = openDatabase({ url: own.url, poolSize: 4, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await own.close();
});
beforeEach(async () => {
  tenant = await aTenant(database.db);
});

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const dueTimes = async (callIds: readonly string[]) => {
  const rows = await database.db
    .selectFrom('call_attempts')
    .select(['call_id', 'due_at'])
    .where('call_id', 'in', [...callIds])
    .execute();
  return callIds.map((callId) => rows.find((row) => row.call_id === callId)?.due_at);
};

async function queue(numbers: readonly string[], now: Date) {
  const { batchId, callIds } = await aRunningBatch(database.db, tenant, numbers.length);
  for (const [place, to_number] of numbers.entries()) {
    await database.db
      .updateTable('calls')
      .set({ to_number })
      .where('id', '=', callIds[place] ?? '')
      .execute();
  }
  const attempts = callIds.map((callId) => [callId, 1] as const);
  const request = { accountId: tenant.accountId, batchId, attempts };
  const answer = await holdForHours(database.db, request, await queueAttempts(database.db, request, now), now);
  return { answer, due: await dueTimes(callIds) };
}

test('those whose hours are closed are queued for the opening, and their workflow is told that they come later', async () => {
  const callingHours = { from: '09:00', until: '18:00', daysOfWeek: everyDay };
  await database.db
    .transaction()
    .execute((tx) => putGuardrails(tx, tenant.accountId, { ...defaultGuardrails, callingHours }));
  const now = new Date('2126-07-01T05:00:00Z'); // 10:30 in India, 01:00 in New York
  const { answer, due } = await queue(['+919877012345', '+12125550107'], now);
  expect(answer).toEqual({ later: [1], settled: [], astray: [] });
  expect(due[0]?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(due[1]).toEqual(new Date('2126-07-01T13:00:00Z'));
});

test('without calling hours the queue’s answer stays as it is', async () => {
  const { answer } = await queue(['+12125550107'], new Date());
  expect(answer).toEqual({ later: [], settled: [], astray: [] });
});
