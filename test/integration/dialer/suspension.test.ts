import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { storedLeg, storeDisconnect } from '../../../db/queries/dialer/disconnects.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let gateway: Gateway;
let me: string;
beforeAll(async () => {
  testEnv = await dialerTestEnv();
});
afterAll(() => testEnv.close());
beforeEach(async () => {
  const { db } = testEnv.database;
  await sql`delete from call_attempts`.execute(db);
  await sql`update gateway_admission set next_claim_at = 'infinity'`.execute(db);
  gateway = await testEnv.gateway({ callsPerSecond: 10 });
  me = randomUUID();
  await startLease(db, { id: me, host: 'here', pid: 1 }, 60);
});

async function claim() {
  const { db } = testEnv.database;
  await sql`update gateway_admission set next_claim_at = clock_timestamp() where gateway_id = ${gateway.id}`.execute(
    db,
  );
  return claimAttempts(db, me, 10);
}

const suspend = (secondsAgo: number) =>
  sql`
    update gateway_admission set suspended_since = clock_timestamp() - make_interval(secs => ${secondsAgo}),
      probe_at = clock_timestamp() - interval '1 second', probe_delay_seconds = 30
    where gateway_id = ${gateway.id}`.execute(testEnv.database.db);

async function pass(callId: string, invite = 1) {
  const { db } = testEnv.database;
  await sql`update call_attempts set dial_at = clock_timestamp() where call_id = ${callId}`.execute(db);
  // A busy machine may ask the gate long after the slot was set.
  const key = { callId, attempt: 1, claimId: await testEnv.claimOf(callId), invite, patienceMs: 600_000 };
  const [answer] = await gateAttempts(db, me, [{ ...key, room: `room_${invite}`, revision: '0', until: null }]);
  return answer?.refusal;
}

test('C7: a suspended gateway is probed, once, while calls from before its suspension go on', async () => {
  const { db } = testEnv.database;
  await testEnv.calls(gateway, null, numbersEndingIn(0, 2, 100));
  expect(await claim()).toHaveLength(2);
  await sql`update call_attempts set phase = 'answered', invite = 1, dialed_at = clock_timestamp() - interval '1 hour'`.execute(
    db,
  );
  await suspend(20);
  const waiting = await testEnv.calls(gateway, null, numbersEndingIn(0, 3, 200));
  const [probe, ...others] = await claim();
  expect(waiting).toContain(probe?.callId);
  expect(others).toEqual([]);
  await suspend(20);
  expect(await claim()).toEqual([]);
  expect(await pass(probe?.callId ?? '')).toBeNull();
  await suspend(20);
  expect(await claim()).toEqual([]);
});

test('C7: what was claimed before its gateway was suspended does not pass the gate', async () => {
  const [callId = ''] = await testEnv.calls(gateway, null, numbersEndingIn(0, 1, 300));
  await claim();
  await suspend(0);
  expect(await pass(callId)).toBe('held');
});

test('C2: the last words about an INVITE tell nothing about the next INVITE of its attempt', async () => {
  const { db } = testEnv.database;
  const [callId = ''] = await testEnv.calls(gateway, null, numbersEndingIn(0, 1, 400));
  const hint = { callStatus: 'ringing', disconnectReason: 12, transferring: false };
  await claim();
  expect(await pass(callId)).toBeNull();
  await storeDisconnect(db, { callId, attempt: 1, invite: 1 }, { ...hint, at: new Date() });
  expect((await storedLeg(db, { callId, attempt: 1, invite: 1 }))?.disconnect).toMatchObject(hint);
  await sql`update call_attempts set phase = 'queued', claimed_by = null, dial_at = null, ringing_at = null`.execute(
    db,
  );
  await claim();
  expect(await pass(callId, 2)).toBeNull();
  expect((await storedLeg(db, { callId, attempt: 1, invite: 2 }))?.disconnect).toBeNull();

  // A hint of the earlier INVITE that is there nevertheless, as a gate from before would have left it.
  await sql`update call_attempts set left_hint = ${JSON.stringify({ ...hint, at: new Date(), invite: 1 })}`.execute(db);
  expect((await storedLeg(db, { callId, attempt: 1, invite: 2 }))?.disconnect).toBeNull();
  await storeDisconnect(db, { callId, attempt: 1, invite: 2 }, { ...hint, at: new Date(0), callStatus: 'active' });
  expect((await storedLeg(db, { callId, attempt: 1, invite: 2 }))?.disconnect).toMatchObject({ callStatus: 'active' });
});

test('C12: a gateway whose password cannot be read is suspended with the reason, and its calls wait', async () => {
  const { db } = testEnv.database;
  await sql`
    update gateways set auth_username = 'outdial', auth_password_sealed = 'sealed by another key'
    where id = ${gateway.id}`.execute(db);
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(0, 3, 500));
  let isReadable = false;
  const dialer = await testEnv.dialer(undefined, 15, undefined, (sealed) => {
    if (!isReadable) throw new Error('no key opens it');
    return sealed;
  });
  const admission = () =>
    db.selectFrom('gateway_admission').selectAll().where('gateway_id', '=', gateway.id).executeTakeFirstOrThrow();
  await until(async () => (await admission()).suspended_since !== null);
  expect((await admission()).suspended_reason).toBe(
    'The credentials of the gateway cannot be read. Set its password again.',
  );
  isReadable = true;
  await sql`update gateway_admission set probe_at = clock_timestamp()`.execute(db);
  const answered = async () =>
    (await db.selectFrom('calls').select('id').where('id', 'in', ids).where('status', '=', 'answered').execute())
      .length;
  await until(async () => {
    await sql`update gateway_admission set next_claim_at = clock_timestamp() where suspended_since is null`.execute(db);
    return (await answered()) === ids.length;
  });
  await dialer.close();
});

test('F1: a dialer whose work always fails says so, in words, and is well again when it succeeds', async () => {
  const { db } = testEnv.database;
  const dialer = await testEnv.dialer();
  expect(dialer.trouble()).toBeNull();
  await sql`alter table dialer_processes rename column lease_until to lease_ended`.execute(db);
  await until(() => dialer.trouble() !== null);
  expect(dialer.trouble()).toMatch(/^for \d+ s .*lease_until/);
  await sql`alter table dialer_processes rename column lease_ended to lease_until`.execute(db);
  await until(() => dialer.trouble() === null);
  await dialer.close();
});
