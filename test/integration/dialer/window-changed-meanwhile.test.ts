import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { moveWindow } from '../../../activities/move-window.js';
import { deferAttempts } from '../../../db/queries/dialer/judged-attempts.js';
import { sweepQueue } from '../../../dialer/queue-sweep.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const everyDay = [1, 2, 3, 4, 5, 6, 7] as const;

/** What PATCH and the workflow do. */
async function getWindow(batchId: string, daysOfWeek: readonly number[], timezone = 'UTC'): Promise<void> {
  const callingWindow = { from: '12:00', until: '13:00', daysOfWeek: [...daysOfWeek], timezone };
  expect(await testEnv.change(batchId, { callingWindow })).toBe('done');
  await moveWindow(db(), testEnv.accountId, batchId, new AbortController().signal);
}

const timesOf = (callId: string) =>
  db().selectFrom('call_attempts').select(['phase', 'due_at']).where('call_id', '=', callId).executeTakeFirstOrThrow();

test('a call that was found to have used up its day waits for the calling window that its batch has got since', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const [callId = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  const judged = { reason: 'daily_limit', notAfter: null, revision: '0', hoursAsRead: null } as const;
  const dueAt = new Date(Date.now() + 3_600_000);
  const afterTomorrow = (new Date().getUTCDay() + 2) % 7 || 7;
  await getWindow(batchId, [afterTomorrow]);
  const { due_at: opensAt } = await timesOf(callId);
  expect(opensAt.getTime()).toBeGreaterThan(dueAt.getTime());
  await deferAttempts(db(), [{ ...judged, callId, attempt: 1, claimId: null, dueAt }]);
  expect(await timesOf(callId)).toEqual({ phase: 'queued', due_at: opensAt });
});

test('a call that was found to have no hour in its calling window is not ended once its batch has another window', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const [callId = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  await sql`update calls set time_zones = '{America/New_York,America/Chicago}'`.execute(db());
  await getWindow(batchId, everyDay, 'recipient');
  await sql`update call_attempts set not_after = now() - interval '1 minute'`.execute(db());
  let sweep: ReturnType<typeof sweepQueue> | undefined;
  await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select 1 from calls for no key update`.execute(tx);
      sweep = sweepQueue(db(), new Date());
      await until(async () => (await lockWaits(testEnv.database.pool)) > 0);
      await sql`update batches set calling_window = calling_window || '{"timezone":"UTC"}'`.execute(db());
    });
  expect((await sweep!).reports).toEqual([]);
  const call = await db().selectFrom('calls').select('status').where('id', '=', callId).executeTakeFirstOrThrow();
  expect({ ...call, ...(await timesOf(callId)) }).toMatchObject({ status: 'pending', phase: 'queued' });
});
