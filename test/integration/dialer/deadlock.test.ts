import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { writeEnds, writeProgress } from '../../../db/queries/dialer/commit-progress.js';
import { lockForProgress } from '../../../db/queries/dialer/lock-for-progress.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

test('outcomes of two batches are committed while calls of both pass the gate, and neither waits for the other for ever', async () => {
  testEnv = await dialerTestEnv();
  const { db } = testEnv.database;
  const dialer = { id: randomUUID(), host: 'test', pid: 1 };
  await startLease(db, dialer, 60);
  const gateway = await testEnv.gateway();
  const batchIds = [await testEnv.batch(gateway), await testEnv.batch(gateway)] as const;
  const first = await testEnv.calls(gateway, batchIds[0], numbersEndingIn(7, 2, 100));
  const second = await testEnv.calls(gateway, batchIds[1], numbersEndingIn(7, 2, 200));
  const claimed = await claimAttempts(db, dialer.id, 10);
  expect(claimed).toHaveLength(4);
  const key = (callId: string) => {
    const claimId = claimed.find((attempt) => attempt.callId === callId)?.claimId ?? '';
    return { callId, attempt: 1, invite: 1, claimId };
  };
  /** Until each has passed: on a busy machine its slot may be over before it is asked about. */
  const gate = async (callIds: readonly string[]): Promise<void> => {
    const judged = { revision: '0', until: null };
    const orders = callIds.map((callId) => ({ ...key(callId), room: `room-${callId}`, ...judged }));
    for (let left = orders; left.length > 0;) {
      await sql`update call_attempts set dial_at = clock_timestamp() where phase = 'claimed'`.execute(db);
      const late = (await gateAttempts(db, dialer.id, left)).filter(({ refusal }) => refusal === 'late');
      left = left.filter(({ callId }) => late.some((each) => each.callId === callId));
    }
  };
  const [endsNow = '', waits = ''] = first;
  const [answersNow = '', alsoWaits = ''] = second;
  await gate([endsNow, answersNow]);

  let gating: ReturnType<typeof gate> | undefined;
  await db.transaction().execute(async (tx) => {
    const legs = [
      { key: key(endsNow), batchId: batchIds[0] },
      { key: key(answersNow), batchId: batchIds[1] },
    ];
    expect((await lockForProgress(tx, legs)).size).toBe(2);
    const answered = { answeredAt: new Date(), answeredBy: 'human' as const };
    await writeProgress(tx, [{ ...key(answersNow), batchId: batchIds[1], ...answered }]);
    gating = gate([waits, alsoWaits]);
    await until(async () => (await lockWaits(testEnv.database.pool)) > 0);
    const nothing = { sipPhrase: null, answeredBy: null, ringingAt: null, answeredAt: null, transcript: null };
    const end = {
      status: 'rejected' as const,
      permanent: false,
      reason: 'busy' as const,
      sipStatusCode: 486,
      endedAt: new Date(),
    };
    const after = { nextAttemptAt: null, isCallback: false, dependsOnAnalysis: false, dropsRetry: false };
    await writeEnds(tx, [{ ...key(endsNow), ...nothing, ...end, ...after }], true);
  });

  await gating;
  const phases = await db.selectFrom('call_attempts').select(['call_id', 'phase']).execute();
  expect(new Map(phases.map((row) => [row.call_id, row.phase]))).toEqual(
    new Map([
      [endsNow, 'ended'],
      [waits, 'dialing'],
      [answersNow, 'answered'],
      [alsoWaits, 'dialing'],
    ]),
  );
});
