import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { addGrants, revokeGrants } from '../../../db/queries/accounts/grants-change.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { dialerTestEnv, numbersEndingIn, until, type Gateway, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const dialed = () =>
  testEnv
    .ledger()
    .filter((line) => line.event === 'invite')
    .flatMap((line) => line.to ?? []);
const grant = (numbers: readonly string[], hosts: readonly string[] = []) =>
  db()
    .transaction()
    .execute((tx) => addGrants(tx, testEnv.accountId, { numbers, hosts }));
const revoke = (numbers: readonly string[], hosts: readonly string[] = [], hangUp = false) =>
  db()
    .transaction()
    .execute((tx) => revokeGrants(tx, testEnv.accountId, { numbers, hosts }, hangUp));
const states = (ids: readonly string[]) =>
  db()
    .selectFrom('calls')
    .select(['status', 'attempts_made', 'settled'])
    .where('id', 'in', [...ids])
    .execute();
const settled = async (ids: readonly string[]) => (await states(ids)).every((call) => call.settled);
const host = 'sip.example.com';

/** Calls of another gateway that has all it needs: when they are over, dialers have had time for the others too. */
async function othersAreDialed(gateway: Gateway, place: number): Promise<void> {
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 3, place));
  await until(() => settled(ids));
}

test('P1-4: without a grant of its number, or of its host, nothing of a batch or of single calls is dialed; with it all is', async () => {
  testEnv = await dialerTestEnv({}, { requireGrants: true });
  const [gateway, granted] = [await testEnv.gateway(), await testEnv.gateway()];
  await db().updateTable('gateways').set({ address: 'Other.Example.:5071' }).where('id', '=', gateway.id).execute();
  await grant([granted.e164], [host]);
  const numbers = numbersEndingIn(1, 4);
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbers.slice(0, 3));
  ids.push(...(await testEnv.calls(gateway, null, numbers.slice(3))));
  await testEnv.dialer();
  await othersAreDialed(granted, 100);
  const ofThese = () =>
    dialed()
      .filter((number) => numbers.includes(number))
      .sort();
  expect(ofThese()).toEqual([]);

  await grant([gateway.e164]);
  await wakeGateways(db(), [gateway.id]);
  await othersAreDialed(granted, 200);
  expect(ofThese()).toEqual([]);
  expect(await states(ids)).toEqual(ids.map(() => ({ status: 'pending', attempts_made: 0, settled: false })));

  await grant([], ['other.example']);
  await wakeGateways(db(), [gateway.id]);
  await until(() => settled(ids));
  expect(ofThese()).toEqual([...numbers].sort());
});

test('P1-4: numbers of one gateway are judged one by one', async () => {
  testEnv = await dialerTestEnv({}, { requireGrants: true });
  const gateway = await testEnv.gateway();
  const other = { ...gateway, e164: '+15550109999' };
  await grant([other.e164], [host]);
  const [mine, theirs] = [numbersEndingIn(1, 2), numbersEndingIn(1, 2, 50)];
  await testEnv.calls(gateway, null, mine);
  const ids = await testEnv.calls(other, null, theirs);
  await testEnv.dialer();
  await until(() => settled(ids));
  expect(dialed().sort()).toEqual([...theirs].sort());
});

test('P1-4: without the setting grants change nothing', async () => {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 2));
  await testEnv.dialer();
  await until(() => settled(ids));
  expect(dialed()).toHaveLength(2);
});

/** A busy machine may ask the gate long after the slot was set. */
const anyDelay = 600_000;

/** One attempt that has been claimed and has its slot; the gate can be asked about it. */
async function atGate(gateway: Gateway) {
  const me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 60);
  await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 1));
  const [claimed] = await claimAttempts(db(), me, 1);
  if (claimed === undefined) throw new Error('Nothing was claimed.');
  const key = { callId: claimed.callId, attempt: claimed.attempt, claimId: claimed.claimId };
  const ask = async () => {
    await sql`update call_attempts set dial_at = clock_timestamp() where call_id = ${key.callId}`.execute(db());
    const asked = {
      ...key,
      invite: 1,
      room: 'room',
      revision: '0',
      until: null,
      gatewayVersion: claimed.gatewayVersion,
      patienceMs: anyDelay,
    };
    const [answer] = await gateAttempts(db(), me, [asked]);
    return answer?.refusal;
  };
  return { ask };
}

test('P1-4: a grant that is taken back between claim and gate stops the INVITE', async () => {
  testEnv = await dialerTestEnv({}, { requireGrants: true });
  const gateway = await testEnv.gateway();
  await grant([gateway.e164], [host]);
  const { ask } = await atGate(gateway);
  await revoke([], [host]);
  expect(await ask()).toBe('held');
  await grant([], [host]);
  await revoke([gateway.e164]);
  expect(await ask()).toBe('held');
  await grant([gateway.e164]);
  expect(await ask()).toBeNull();
});

test('P1-4: an INVITE that was made for a host before its gateway moved to another one is not sent', async () => {
  testEnv = await dialerTestEnv({}, { requireGrants: true });
  const gateway = await testEnv.gateway();
  await grant([gateway.e164], [host, 'granted.example']);
  const { ask } = await atGate(gateway);
  await revoke([], [host]);
  await db()
    .updateTable('gateways')
    .set({ address: 'granted.example', updated_at: new Date() })
    .where('id', '=', gateway.id)
    .execute();
  expect(await ask()).toBe('held');
});

test('P1-4: headers that named another caller before grants were asked for keep a gateway from calling', async () => {
  testEnv = await dialerTestEnv({}, { requireGrants: true });
  const [gateway, granted] = [await testEnv.gateway(), await testEnv.gateway()];
  const headers = JSON.stringify({ 'P-Asserted-Identity': '<sip:+14155550100@sip.example.com>' });
  await db().updateTable('gateways').set({ headers }).where('id', '=', gateway.id).execute();
  await grant([gateway.e164, granted.e164], [host]);
  const ids = await testEnv.calls(gateway, await testEnv.batch(gateway), numbersEndingIn(1, 1));
  await testEnv.dialer();
  await othersAreDialed(granted, 100);
  expect(await states(ids)).toMatchObject([{ status: 'pending' }]);
});

test('P1-4: --hang-up ends the live calls of what is taken back, and no others', async () => {
  const rings = { kind: 'answer', ringAfterSeconds: 0, answerAfterSeconds: 40_000 } as const;
  testEnv = await dialerTestEnv({ speed: 1, scenario: { otherwise: rings } }, { requireGrants: true });
  const [gateway, granted] = [await testEnv.gateway(), await testEnv.gateway()];
  await grant([gateway.e164, granted.e164], [host]);
  const ids = [
    ...(await testEnv.calls(gateway, null, numbersEndingIn(1, 1))),
    ...(await testEnv.calls(granted, null, numbersEndingIn(1, 1, 100))),
  ];
  await testEnv.dialer();
  const attempts = () =>
    db()
      .selectFrom('call_attempts')
      .select(['phase', 'hang_up_reason'])
      .where('call_id', 'in', ids)
      .orderBy('call_id')
      .execute();
  await until(async () => (await attempts()).every(({ phase }) => ['dialing', 'ringing', 'answered'].includes(phase)));
  await revoke([gateway.e164], [], true);
  const reasons = (await attempts()).map((attempt) => attempt.hang_up_reason);
  expect(reasons).toEqual(['not_granted', null]);
  // Its dialer would wait for the other one, which rings for long.
  await revoke([granted.e164], [], true);
  await until(() => settled(ids));
});
