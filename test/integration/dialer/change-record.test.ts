import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { changeRecord, type RecordChange } from '../../../db/queries/batches/change-record.js';
import { callForAgent } from '../../../db/queries/calls/conversation.js';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { deferAttempts } from '../../../db/queries/dialer/judged-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { dialerTestEnv, inOrder, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
afterEach(() => testEnv.close());

const db = () => testEnv.database.db;
const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');
const change = (batchId: string, callId: string, asked: RecordChange) =>
  db()
    .transaction()
    .execute((tx) => changeRecord(tx, { accountId: testEnv.accountId, batchId, callId }, asked, new Date()));
const nameOfRavi = { json: '{"name":"Ravi"}', names: ['name'], zonesOf: () => [] };
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

// shows: recipients.patch.race
test('recipients whose notBefore is changed while three dialers are at work are dialed once, and not before it', async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  const gateway = await testEnv.gateway({ callsPerSecond: 12, maxConcurrentCalls: 100 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 60));
  for (let dialer = 0; dialer < 3; dialer += 1) await testEnv.dialer();
  const changed = new Map<string, string>();
  // From the head of the queue, where claims, gates and changes meet.
  for (const id of ids.filter((_, place) => place % 2 === 0)) {
    const notBefore = inSeconds(4);
    const { outcome } = await change(batchId, id, { notBefore });
    if (outcome === 'changed') changed.set(id, notBefore);
  }
  expect(changed.size).toBeGreaterThan(5);
  await until(async () => {
    const left = await db()
      .selectFrom('calls')
      .select('id')
      .where('batch_id', '=', batchId)
      .where('settled', '=', false)
      .execute();
    return left.length === 0;
  });
  const of = (id: string) => invites().filter(({ callId }) => callId === id);
  expect(ids.filter((id) => of(id).length !== 1)).toEqual([]);
  const tooSoon = [...changed].filter(([id, notBefore]) =>
    of(id).some(({ at }) => Date.parse(at) < Date.parse(notBefore)),
  );
  expect(tooSoon).toEqual([]);
});

test('a changed priority changes the order of what is queued', async () => {
  testEnv = await dialerTestEnv({ speed: 50 }, {}, inOrder);
  const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 1 });
  const batchId = await testEnv.batch(gateway);
  const ids = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 5, 1000));
  await change(batchId, ids[4]!, { priority: 1 });
  await change(batchId, ids[0]!, { priority: 9 });
  await change(batchId, ids[2]!, { priority: 2 });
  await change(batchId, ids[2]!, { priority: null });
  await testEnv.dialer();
  await until(() => invites().length === 5);
  expect(invites().map(({ callId }) => ids.indexOf(callId ?? ''))).toEqual([4, 1, 2, 3, 0]);
});

/** An attempt that this process has claimed. */
async function claimedOne() {
  testEnv = await dialerTestEnv();
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway);
  const [callId = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  const me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 60);
  const claim = async () => (await claimAttempts(db(), me, 10))[0];
  const claimed = await claim();
  if (claimed === undefined) throw new Error('nothing was claimed');
  const slotNow = () => sql`update call_attempts set dial_at = clock_timestamp()`.execute(db());
  await slotNow();
  const claimAgain = async () => {
    await sql`update gateway_admission set next_claim_at = now() where gateway_id = ${gateway.id}`.execute(db());
    const again = await claim();
    await slotNow();
    return again;
  };
  const gate = (held = claimed) =>
    gateAttempts(db(), me, [{ ...held, invite: 1, room: 'room', revision: '0', until: null, patienceMs: 600_000 }]);
  const rowOf = () =>
    db().selectFrom('call_attempts').selectAll().where('call_id', '=', callId).executeTakeFirstOrThrow();
  return { batchId, callId, claimed, claimAgain, gate, rowOf };
}

// shows: recipients.patch.gate
test('the gate itself holds a call whose notBefore lies ahead, whoever has set it and whatever the queue says', async () => {
  const { callId, gate } = await claimedOne();
  await sql`update calls set not_before = now() + interval '1 hour' where id = ${callId}`.execute(db());
  expect(await gate()).toMatchObject([{ refusal: 'held' }]);
  await sql`update calls set not_before = now() - interval '1 second' where id = ${callId}`.execute(db());
  expect(await gate()).toMatchObject([{ refusal: null }]);
});

test('a change takes the call from the dialer that has claimed it, whose claim is void', async () => {
  const { batchId, callId, gate, rowOf } = await claimedOne();
  await change(batchId, callId, { metadata: nameOfRavi });
  expect(await rowOf()).toMatchObject({ phase: 'queued', claimed_by: null });
  expect(await gate()).toMatchObject([{ refusal: 'lost' }]);
});

test('changed metadata reaches the agent of the call', async () => {
  const { batchId, callId, gate, claimAgain } = await claimedOne();
  await change(batchId, callId, { metadata: nameOfRavi });
  expect(await gate(await claimAgain())).toMatchObject([{ refusal: null }]);
  expect(await callForAgent(db(), callId, 'room')).toMatchObject({ metadata: { name: 'Ravi' } });
});

test('a dialer that judged a call before the change moves it to no sooner time', async () => {
  const { batchId, callId, claimAgain, claimed, rowOf } = await claimedOne();
  const notBefore = inSeconds(7_200);
  await change(batchId, callId, { notBefore });
  const { attempt } = claimed;
  await deferAttempts(db(), [
    {
      ...{ callId, attempt, claimId: null, reason: 'guardrail_hours', revision: '0', hoursAsRead: null },
      ...{ dueAt: new Date(inSeconds(60)), notAfter: null },
    },
  ]);
  expect(await rowOf()).toMatchObject({ due_at: new Date(notBefore) });
  expect(await claimAgain()).toBeUndefined();
});
