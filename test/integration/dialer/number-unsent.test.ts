import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orderHangUp } from '../../../db/queries/calls/control.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { endLease, startLease } from '../../../db/queries/dialer/lease.js';
import { ProviderUnreachable } from '../../../telephony/provider.js';
import { atRest, countedToday, fourDialers, invitedAtMs, limitNumber } from './limited-number.js';
import { type DialerTestEnv, dialerTestEnv, type Gateway, numbersEndingIn, until } from './test-env.js';

let testEnv: DialerTestEnv;
let line: Gateway;
beforeEach(async () => {
  testEnv = await dialerTestEnv();
  line = await testEnv.gateway();
});
afterEach(() => testEnv.close());

test('a call that is hung up before its INVITE could leave counts neither for its number nor for its gateway', async () => {
  await limitNumber(testEnv, line, { maxCallsPerDay: 20 });
  const { db } = testEnv.database;
  const [id] = await testEnv.calls(line, null, numbersEndingIn(7, 1, 100));
  await testEnv.dialer({
    ...testEnv.provider(),
    async dial() {
      await db.transaction().execute((tx) => orderHangUp(tx, id!, 'ended_by_api'));
      throw new ProviderUnreachable('The carrier cannot be reached');
    },
  });
  await until(async () => (await db.selectFrom('calls').select('settled').executeTakeFirstOrThrow()).settled);
  const call = await db.selectFrom('calls').select(['status', 'reason', 'attempts_made']).executeTakeFirstOrThrow();
  expect(call).toEqual({ status: 'abandoned', reason: 'ended_by_api', attempts_made: 1 });
  expect(invitedAtMs(testEnv)).toEqual([]);
  expect(await countedToday(testEnv)).toBe(0);
  expect((await sql`select sum(dials)::int as dials from recent_dials`.execute(db)).rows).toEqual([{ dials: 0 }]);
});

const carrierAway = () => Promise.reject(new ProviderUnreachable('The carrier cannot be reached'));

test('a number whose INVITE was let out and could not be sent may call at once, not after the least time between two calls', async () => {
  await limitNumber(testEnv, line, { minSecondsBetweenCalls: 3_600 });
  await testEnv.calls(line, null, numbersEndingIn(7, 1));
  const provider = testEnv.provider();
  let tries = 0;
  await testEnv.dialer({ ...provider, dial: (...dial) => (++tries === 1 ? carrierAway() : provider.dial(...dial)) });
  await until(() => invitedAtMs(testEnv).length === 1);
  expect(tries).toBe(2);
});

/** A dialer that has had the INVITE of a call let out, and stands still before it sends it. @returns its id */
async function letOutBy(callId: string): Promise<string> {
  const { db } = testEnv.database;
  const id = uuid();
  await startLease(db, { id, host: 'there', pid: 2 }, 600);
  const [claimed] = await claimAttempts(db, id, 1);
  await sql`update call_attempts set dial_at = clock_timestamp() where call_id = ${callId}`.execute(db);
  const gated = await gateAttempts(db, id, [
    {
      ...{ callId, attempt: 1, claimId: claimed?.claimId ?? '', invite: 1, room: 'room', revision: '0', until: null },
      patienceMs: 5_000,
    },
  ]);
  expect(gated).toMatchObject([{ refusal: null }]);
  return id;
}

test('a number whose INVITE was let out by a dialer that died before it could send may call as soon as another knows', async () => {
  await limitNumber(testEnv, line, { minSecondsBetweenCalls: 3_600 });
  const [id = ''] = await testEnv.calls(line, null, numbersEndingIn(7, 1));
  await endLease(testEnv.database.db, await letOutBy(id));
  await fourDialers(testEnv);
  await until(() => invitedAtMs(testEnv).length === 1);
  expect(await countedToday(testEnv)).toBe(1);
});

test('an INVITE that turns out never to have been sent, after the number has called again, frees it of no later call', async () => {
  await limitNumber(testEnv, line, { minSecondsBetweenCalls: 3_600 });
  const { db } = testEnv.database;
  const [unsent = ''] = await testEnv.calls(line, null, numbersEndingIn(7, 1, 100));
  const frozen = await letOutBy(unsent);
  await sql`update counted_numbers set last_call_by = last_call_by - interval '2 hours'`.execute(db);
  await testEnv.calls(line, null, numbersEndingIn(1, 1, 300));
  await testEnv.dialer();
  await until(() => testEnv.told.length === 1);
  await endLease(db, frozen);
  await testEnv.dialer(); // which looks for legs of the dead at once
  await until(async () => (await countedToday(testEnv)) === 1 && (await atRest(testEnv)));
  expect(invitedAtMs(testEnv)).toHaveLength(1);
});

test('an INVITE that could not be sent leaves the distance to the call before it as it was', async () => {
  await limitNumber(testEnv, line, { minSecondsBetweenCalls: 1 });
  const { db } = testEnv.database;
  const lastCallBy = async () =>
    (await db.selectFrom('counted_numbers').select('last_call_by').executeTakeFirstOrThrow()).last_call_by;
  const settled = () => db.selectFrom('calls').select('id').where('settled', '=', true).execute();
  const provider = testEnv.provider();
  const [, second = ''] = await testEnv.calls(line, null, numbersEndingIn(7, 2));
  await testEnv.dialer({
    ...provider,
    async dial(order, on) {
      if (order.callId !== second) return provider.dial(order, on);
      await db.transaction().execute((tx) => orderHangUp(tx, second, 'ended_by_api'));
      return carrierAway();
    },
  });
  await until(() => invitedAtMs(testEnv).length === 1);
  const afterFirst = await lastCallBy();
  await until(async () => (await settled()).length === 2);
  expect(invitedAtMs(testEnv)).toHaveLength(1);
  expect(await lastCallBy()).toEqual(afterFirst);
});
