import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Db } from '../../../db/client.js';
import { callRecordAgain } from '../../../db/queries/batches/call-again.js';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { abandonCall, lockCall } from '../../../db/queries/calls/control.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;

/** What becomes of a recipient who is ended, and called again by a request that waits for the end. */
async function calledAgainWhile(
  queued: boolean,
  end: (tx: Db, batchId: string, callId: string) => Promise<unknown>,
): Promise<{ readonly outcome: string; readonly callId: string }> {
  testEnv = await dialerTestEnv();
  const { accountId } = testEnv;
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const [callId = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  if (!queued) await sql`delete from call_attempts`.execute(db());
  let again: ReturnType<typeof callRecordAgain> | undefined;
  await db()
    .transaction()
    .execute(async (tx) => {
      await end(tx, batchId, callId);
      again = db()
        .transaction()
        .execute((other) => callRecordAgain(other, { accountId, batchId, callId }));
      again.catch(() => undefined);
      await until(async () => (await lockWaits(testEnv.database.pool)) > 0);
    });
  return { outcome: (await again!).outcome, callId };
}

test('a request to call a recipient again that waits for the end of their call is refused in words if it was ended undialed', async () => {
  const { outcome } = await calledAgainWhile(false, async (tx, _, callId) => {
    const call = await lockCall(tx, testEnv.accountId, callId);
    await abandonCall(tx, call!, 'ended_by_api');
  });
  expect(outcome).toBe('undialed');
});

test('a request to call a recipient again that waits while they are skipped is carried out', async () => {
  const { outcome, callId } = await calledAgainWhile(true, (tx, batchId, callId) =>
    skipRecord(tx, testEnv.accountId, batchId, callId),
  );
  expect(outcome).toBe('queued');
  const attempts = db().selectFrom('call_attempts').select(['number', 'phase']).where('call_id', '=', callId);
  expect(await attempts.execute()).toEqual([{ number: 1, phase: 'queued' }]);
});
