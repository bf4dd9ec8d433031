import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { endLease, startLease, takeOverLegsOfDead } from '../../../db/queries/dialer/lease.js';
import { lockForProgress } from '../../../db/queries/dialer/lock-for-progress.js';
import { setNumberLimits } from '../../../db/queries/telephony/number-limits.js';
import type { DB } from '../../../db/types.js';
import { createDialerMetrics } from '../../../dialer/metrics.js';
import { createProgress, type Leg } from '../../../dialer/progress.js';
import { write, type Written } from '../../../dialer/write-progress.js';
import type { AttemptResult } from '../../../telephony/provider.js';
import { lockWaits } from '../../setup/lock-waits.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let me: string;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  const { db } = testEnv.database;
  await sql`update call_attempts set phase = 'ended', outcome = 'failed', reason = 'error' where phase <> 'ended'`.execute(
    db,
  );
  gateway = await testEnv.gateway();
  me = randomUUID();
  await startLease(db, { id: me, host: 'here', pid: 1 }, 600);
});

const notSent = (): AttemptResult => ({ how: 'not_sent', rang: false, at: new Date() });
const answered = (): AttemptResult => ({
  ...{ how: 'ended', rang: true, sipStatusCode: 200, at: new Date(), answeredAt: new Date(Date.now() - 60_000) },
  answeredBy: 'human',
});

/** Two legs that have passed the gate, of a number whose calls are counted. */
async function twoLegs(): Promise<readonly [Leg, Leg]> {
  const { db } = testEnv.database;
  const number = await db
    .selectFrom('phone_numbers')
    .select(['id', 'e164'])
    .where('e164', '=', gateway.e164)
    .executeTakeFirstOrThrow();
  await db
    .transaction()
    .execute((tx) => setNumberLimits(tx, testEnv.accountId, number, { maxCallsPerDay: 100 }, 'UTC'));
  await testEnv.calls(gateway, null, numbersEndingIn(7, 2, 100));
  const claimed = await claimAttempts(db, me, 10);
  const orders = claimed.map((attempt) => ({
    ...{ callId: attempt.callId, attempt: attempt.attempt, claimId: attempt.claimId, invite: 1 },
    ...{ room: `room-${attempt.callId}`, revision: '0', until: null, patienceMs: 600_000 },
  }));
  await sql`update call_attempts set dial_at = clock_timestamp() where phase = 'claimed'`.execute(db);
  expect((await gateAttempts(db, me, orders)).map(({ refusal }) => refusal)).toEqual([null, null]);
  const [first, second] = orders.map(({ callId, attempt, claimId }): Leg => ({
    ...{ key: { callId, attempt, invite: 1 }, claimId, changesHands: false },
    ...{ accountId: testEnv.accountId, batchId: null, gatewayId: gateway.id },
  }));
  return [first!, second!];
}

const writeIn = (tx: Transaction<DB>, leg: Leg, result: AttemptResult): Promise<Written> => {
  const { key, claimId, ...of } = leg;
  const metrics = createDialerMetrics(new Registry());
  return write(tx, [{ ...of, key: { ...key, claimId }, result }], true, metrics, () => []);
};

/** INVITEs that count for the number and for the gateway. */
async function counted(): Promise<{ readonly number: number; readonly gateway: number }> {
  const { rows } = await sql<{ number: number; gateway: number }>`
    select (select calls from counted_numbers where e164 = ${gateway.e164}) as number,
      (select sum(dials)::integer from recent_dials where gateway_id = ${gateway.id}) as gateway`.execute(
    testEnv.database.db,
  );
  return rows[0]!;
}

test('what a dialer commits twice, because the answer to the first commit was lost while it ran, is counted once', async () => {
  const { db } = testEnv.database;
  const [leg] = await twoLegs();
  let second: Promise<Written> | undefined;
  await db.transaction().execute(async (tx) => {
    expect((await writeIn(tx, leg, notSent())).passed).toEqual([true]);
    second = db.transaction().execute((again) => writeIn(again, leg, notSent()));
    await until(async () => (await lockWaits(testEnv.database.pool)) > 0);
  });
  expect(await second).toMatchObject({ passed: [false], requeued: [] });
  expect(await counted()).toEqual({ number: 1, gateway: 1 });
});

test('a leg whose end is being written is not taken over by another dialer meanwhile, which would write it again', async () => {
  const { db } = testEnv.database;
  const [written, left] = await twoLegs();
  const other = randomUUID();
  await startLease(db, { id: other, host: 'there', pid: 2 }, 600);
  await endLease(db, me);
  await db.transaction().execute(async (tx) => {
    await lockForProgress(tx, [{ key: { ...written.key, claimId: written.claimId }, batchId: null }]);
    const taken = await takeOverLegsOfDead(db, other, 10);
    expect(taken.map(({ callId }) => callId)).toEqual([left.key.callId]);
    await writeIn(tx, written, notSent());
  });
  expect(await counted()).toEqual({ number: 1, gateway: 1 });
});

test.each([
  ['was never sent', notSent, { number: 1, gateway: 1 }, 0],
  ['was answered', answered, { number: 2, gateway: 2 }, 1],
] as const)(
  'a leg that is followed twice in one process, and %s, is counted once',
  async (_what, result, left, answeredCalls) => {
    const { db } = testEnv.database;
    const [leg] = await twoLegs();
    const metrics = createDialerMetrics(new Registry());
    const progress = createProgress({
      ...{ db, simulated: true, zonesOfNumber: () => [], watch: (_step, work) => work(), metrics },
      ...{ logger: pino({ level: 'silent' }), onCommitted: () => undefined },
    });
    progress.over(leg, result());
    progress.over({ ...leg }, result());
    await progress.close();
    expect(await counted()).toEqual(left);
    const ends = await metrics.ended.get();
    expect(ends.values.reduce((sum, { value }) => sum + value, 0)).toBe(answeredCalls);
  },
);
