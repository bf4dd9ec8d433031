import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { putGuardrails } from '../../../db/queries/accounts/guardrails.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { defaultGuardrails } from '../../../domain/account/guardrails.js';
import { dialerTestEnv, type DialerTestEnv, until } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const give = (batchId: string, window: object) =>
  sql`update batches set calling_window = ${JSON.stringify(window)}::jsonb where id = ${batchId}`.execute(db());
const callOf = (id: string) =>
  db().selectFrom('calls').select(['status', 'reason', 'attempts_made']).where('id', '=', id).executeTakeFirstOrThrow();

test('a call whose account has no hour inside the open window of its batch ends failed, and says so', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const today = new Date().getUTCDay() || 7;
  // Three or four days away, whatever day it is where.
  const daysOfWeek = everyDay.filter((day) => Math.abs(day - today) > 2 && Math.abs(day - today) < 5);
  await give(batchId, { from: '00:00', until: '24:00', daysOfWeek: [today], timezone: 'UTC' });
  const callingHours = { from: '11:00', until: '12:00', daysOfWeek };
  await db()
    .transaction()
    .execute((tx) => putGuardrails(tx, testEnv.accountId, { ...defaultGuardrails, callingHours }));
  const [id = ''] = await testEnv.calls(gateway, batchId, ['+12125550107']);
  await testEnv.dialer();
  await until(async () => (await callOf(id)).status === 'failed');
  expect(await callOf(id)).toMatchObject({ reason: 'calling_hours', attempts_made: 0 });
  expect(invites()).toEqual([]);
});

test('a call whose window is open at no hour in all of its zones waits a day for another window, says so, and ends failed', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  await give(batchId, { from: '09:00', until: '10:00', daysOfWeek: everyDay, timezone: 'recipient' });
  const [callId = ''] = await testEnv.calls(gateway, batchId, ['+18505550107']);
  await db().deleteFrom('call_attempts').execute();
  await sql`update calls set time_zones = '{America/New_York,America/Chicago}'`.execute(db());
  const { accountId } = testEnv;
  expect(await queueAttempts(db(), { accountId, batchId, attempts: [[callId, 1]] }, new Date())).toMatchObject({
    later: [0],
  });
  expect(await waitingOfBatch(db(), accountId, batchId)).toMatchObject({
    counts: { calling_window: 1 },
    until: { calling_window: null },
    sentence: expect.stringContaining('a calling window that is open at no hour in all of their time zones') as string,
  });
  // A day later.
  await sql`update call_attempts set due_at = due_at - interval '25 hours', not_after = not_after - interval '25 hours'`.execute(
    db(),
  );
  await testEnv.dialer();
  await until(async () => (await callOf(callId)).status === 'failed');
  expect(await callOf(callId)).toMatchObject({ reason: 'calling_window', attempts_made: 0 });
  expect(invites()).toEqual([]);
});
