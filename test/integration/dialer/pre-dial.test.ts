import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimAttempts } from '../../../db/queries/dialer/claim-attempts.js';
import { gateAttempts } from '../../../db/queries/dialer/gate-attempts.js';
import { startLease } from '../../../db/queries/dialer/lease.js';
import { takeQuestion } from '../../../db/queries/dialer/pre-dial.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import type { PreDial } from '../../../domain/batch/pre-dial.js';
import { preDialEndpoint, type PreDialEndpoint } from '../../setup/pre-dial-endpoint.js';
import { dialerTestEnv, noonZone, numbersEndingIn, until, type DialerTestEnv, type Gateway } from './test-env.js';
import { waitingOfBatch } from './waiting-of.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
let testEnv: DialerTestEnv;
let endpoint: PreDialEndpoint;

beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  endpoint = await preDialEndpoint();
  await db().updateTable('accounts').set({ webhook_secret_sealed: secret }).execute();
});
afterEach(async () => {
  await endpoint.close();
  await testEnv.close();
});

const db = () => testEnv.database.db;
const invites = () => testEnv.ledger().filter(({ event }) => event === 'invite');
const dialed = () => invites().map(({ to }) => to);
const asked = (gateway: Gateway, settings: Partial<PreDial> = {}) =>
  testEnv.batch(gateway, { preDial: { url: endpoint.url, timeoutMs: 2_000, onError: 'wait', ...settings } });
const callsOf = (batchId: string) =>
  db().selectFrom('calls').selectAll().where('batch_id', '=', batchId).orderBy('position').execute();
const settled = async (batchId: string) => (await callsOf(batchId)).every((call) => call.settled);
const nothingUnderWay = { accounts: new Map<string, number>(), fullAccounts: [], fullLanes: [] };
const waiting = (batchId: string) => waitingOfBatch(db(), testEnv.accountId, batchId);

// shows: pre-dial.asked
test('recipients are asked about before they are dialed; those who are refused end failed, with the words of the endpoint', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  const numbers = numbersEndingIn(7, 6);
  await testEnv.calls(gateway, batchId, numbers);
  endpoint.verdict = ({ phoneNumber }) =>
    phoneNumber === numbers[2]
      ? { eligible: false, reason: `On the\nregister ${'x'.repeat(300)}` }
      : { eligible: true };
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(dialed().toSorted()).toEqual(numbers.filter((_, place) => place !== 2).toSorted());
  expect(new Set(endpoint.numbers())).toEqual(new Set(numbers));
  const refused = (await callsOf(batchId))[2];
  expect(refused).toMatchObject({ status: 'failed', reason: 'pre_dial_refused', attempts_made: 0 });
  expect(refused?.pre_dial_reason).toMatch(/^On the register x{184}$/);
  const [question] = endpoint.questions;
  expect(question).toMatchObject({ type: 'pre-dial', batchId });
  expect(() =>
    new Webhook(secret).verify(question?.body ?? '', question?.headers as Record<string, string>),
  ).not.toThrow();
});

test('metadata of an answer is merged into that of the recipient, and its names are columns of the batch', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 2));
  await sql`update calls set metadata = '{"name":"Asha","balance":"1"}'`.execute(db());
  await sql`update batches set columns = '{phone_number,name,balance}'`.execute(db());
  endpoint.verdict = () => ({ eligible: true, metadata: { balance: '20', due: '2027-01-01' } });
  await testEnv.dialer();
  await until(() => settled(batchId));
  const [call] = await callsOf(batchId);
  expect(call?.metadata).toEqual({ name: 'Asha', balance: '20', due: '2027-01-01' });
  const { columns } = await db().selectFrom('batches').select('columns').executeTakeFirstOrThrow();
  expect(columns).toEqual(['phone_number', 'name', 'balance', 'due']);
});

/** A window that is open at noon and not for most of the day: `noonZone` is in it, the other side of the world is not. */
const aroundNoon = { from: '09:00', until: '16:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'recipient' };
const midnightZone = () => {
  const hours = (12 - new Date().getUTCHours() + 24 + 12) % 24;
  const ahead = hours > 12 ? hours - 24 : hours;
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

// shows: pre-dial.clock
test('a timezone in the metadata of an answer is the clock of the callee: nobody is dialed while it is night there', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  await sql`update batches set calling_window = ${JSON.stringify(aroundNoon)}`.execute(db());
  const numbers = numbersEndingIn(7, 3);
  await testEnv.calls(gateway, batchId, numbers);
  await sql`update calls set time_zones = array[${noonZone()}]`.execute(db());
  endpoint.verdict = ({ phoneNumber }) => ({
    eligible: true,
    metadata: { timezone: phoneNumber === numbers[1] ? midnightZone() : noonZone() },
  });
  await testEnv.dialer();
  await until(async () => (await callsOf(batchId)).filter((call) => call.settled).length >= 2);
  expect((await waiting(batchId)).counts).toEqual({ calling_window: 1 });
  expect(dialed().toSorted()).toEqual([numbers[0], numbers[2]]);
  const [, away] = await callsOf(batchId);
  expect(away).toMatchObject({ time_zones: [midnightZone()], settled: false, attempts_made: 0 });
  // Before their turn nobody is asked about them again.
  expect(await db().selectFrom('pre_dial_answers').select('call_id').where('call_id', '=', away!.id).execute()).toEqual(
    [],
  );
  const due = await db()
    .selectFrom('call_attempts')
    .selectAll()
    .where('call_id', '=', away!.id)
    .executeTakeFirstOrThrow();
  expect(Number(due.due_at) - Date.now()).toBeGreaterThan(6 * 3_600_000);
});

test('a timezone in the metadata of an answer that is none is no usable answer if hours go by the clocks of callees', async () => {
  const gateway = await testEnv.gateway();
  const byClock = await asked(gateway, { onError: 'skip' });
  await sql`update batches set calling_window = ${JSON.stringify(aroundNoon)}`.execute(db());
  const atAnyHour = await asked(gateway, { onError: 'skip' });
  const [none = '', empty = ''] = numbersEndingIn(7, 2);
  await testEnv.calls(gateway, byClock, [none, empty]);
  await testEnv.calls(gateway, atAnyHour, numbersEndingIn(7, 1, 500));
  await sql`update calls set time_zones = array[${noonZone()}] where batch_id = ${byClock}`.execute(db());
  endpoint.verdict = ({ phoneNumber }) => ({
    eligible: true,
    metadata: { timezone: phoneNumber === empty ? '' : 'Mars/Olympus' },
  });
  await testEnv.dialer();
  await until(async () => (await settled(byClock)) && (await settled(atAnyHour)));
  expect((await callsOf(byClock)).map(({ status, reason }) => [status, reason === 'pre_dial_unanswered'])).toEqual([
    ['failed', true],
    ['answered', false],
  ]);
  expect((await callsOf(byClock))[1]?.time_zones).toEqual([noonZone()]);
  expect((await callsOf(atAnyHour)).map(({ status }) => status)).toEqual(['answered']);
});

// shows: pre-dial.errors
test.each<[string, PreDialEndpoint['misbehave']]>([
  ['answers with an error', (response) => response.writeHead(500).end('no')],
  ['answers what is no JSON', (response) => response.end('<html>')],
  ['answers without records', (response) => response.end('[]')],
  ['redirects', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
  ['never ends its answer', (response) => response.write('{"records":')],
  ['sends more than is read', (response) => response.end(`{"records":{"a":"${'x'.repeat(600_000)}"}}`)],
  ['breaks the connection', (response) => response.destroy()],
])('an endpoint that %s: nobody is dialed, and skip ends them failed', async (_, misbehave) => {
  endpoint.misbehave = misbehave;
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway, { onError: 'skip', timeoutMs: 300 });
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 2));
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(invites()).toEqual([]);
  expect((await callsOf(batchId)).map(({ status, reason }) => [status, reason])).toEqual(
    Array(2).fill(['failed', 'pre_dial_unanswered']),
  );
});

test('an endpoint that fails is asked again after a pause, meanwhile recipients wait for it, and nobody is lost', async () => {
  endpoint.misbehave = (response) => response.writeHead(503).end();
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 5));
  await testEnv.dialer();
  await until(async () => typeof (await waiting(batchId)).until.pre_dial === 'string');
  const { counts, sentence } = await waiting(batchId);
  expect(counts).toEqual({ pre_dial: 5 });
  expect(sentence).toMatch(/^5 wait for the pre-dial endpoint, which is asked again at /);
  expect(invites()).toEqual([]);
  endpoint.misbehave = null;
  await until(() => settled(batchId));
  expect(new Set(dialed()).size).toBe(5);
  expect(dialed()).toHaveLength(5);
});

test('without a usable answer, dial calls all the same', async () => {
  endpoint.misbehave = (response) => response.writeHead(500).end();
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway, { onError: 'dial' });
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 5));
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(dialed()).toHaveLength(5);
});

test('one whom an answer leaves out waits behind the others, and is asked about again', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  const numbers = numbersEndingIn(7, 3);
  await testEnv.calls(gateway, batchId, numbers);
  endpoint.verdict = ({ phoneNumber }) => (phoneNumber === numbers[0] ? undefined : { eligible: true });
  await testEnv.dialer();
  await until(() => dialed().length === 2);
  await until(async () => (await waiting(batchId)).counts.pre_dial === 1);
  endpoint.verdict = () => ({ eligible: true });
  await sql`update call_attempts set due_at = now() where phase = 'queued'`.execute(db());
  await wakeGateways(db(), [gateway.id]);
  await until(() => settled(batchId));
  expect(dialed().toSorted()).toEqual(numbers.toSorted());
});

// shows: pre-dial.fair
test('an endpoint that hangs holds no line: other batches of the same gateway are called meanwhile', async () => {
  endpoint.misbehave = () => undefined;
  const gateway = await testEnv.gateway({ callsPerSecond: 50, maxConcurrentCalls: 1 });
  const slow = await asked(gateway, { timeoutMs: 5_000 });
  await testEnv.calls(gateway, slow, numbersEndingIn(7, 300));
  await testEnv.dialer();
  await until(() => endpoint.questions.length > 0);
  const plain = await testEnv.batch(gateway);
  await testEnv.calls(gateway, plain, numbersEndingIn(7, 5, 1_000));
  await until(() => settled(plain));
  expect(dialed()).toHaveLength(5);
  expect((await waiting(slow)).total).toBe(300);
});

// shows: pre-dial.once
test('four dialers ask about and dial each recipient once, and ask about no more than are soon dialed', async () => {
  const gateway = await testEnv.gateway({ callsPerSecond: 40, maxConcurrentCalls: 4 });
  const batchId = await asked(gateway);
  const numbers = numbersEndingIn(7, 400);
  await testEnv.calls(gateway, batchId, numbers);
  let mostAhead = 0;
  endpoint.verdict = () => {
    mostAhead = Math.max(mostAhead, endpoint.numbers().length - invites().length);
    return { eligible: true };
  };
  for (let dialer = 0; dialer < 4; dialer += 1) await testEnv.dialer();
  await until(() => invites().length >= 100);
  expect(mostAhead).toBeLessThan(60);
  expect(new Set(endpoint.numbers()).size).toBe(endpoint.numbers().length);
  expect(new Set(dialed()).size).toBe(invites().length);
  expect(endpoint.questions.every(({ records }) => records.length <= 100)).toBe(true);
});

// shows: pre-dial.died
test('what a dialer that died has asked is asked again by another one, once its time is over', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway, { timeoutMs: 100 });
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 3));
  const me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 60);
  expect(await claimAttempts(db(), me, 10)).toEqual([]);
  const question = await takeQuestion(db(), randomUUID(), 100, nothingUnderWay);
  expect(question).toMatchObject({ batchId });
  expect(await takeQuestion(db(), randomUUID(), 100, nothingUnderWay)).toBe('nothing');
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(dialed()).toHaveLength(3);
});

/** An attempt that this process has claimed after the endpoint had cleared it. */
async function clearedAndClaimed() {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  const [callId = ''] = await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  const me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 60);
  const claim = async () => {
    await wakeGateways(db(), [gateway.id]);
    return claimAttempts(db(), me, 10);
  };
  expect(await claim()).toEqual([]);
  await takeQuestion(db(), randomUUID(), 100, nothingUnderWay);
  expect(await claim()).toEqual([]);
  await sql`update pre_dial_answers set cleared = true`.execute(db());
  const [claimed] = await claim();
  if (claimed === undefined) throw new Error('nothing was claimed');
  await sql`update call_attempts set dial_at = clock_timestamp()`.execute(db());
  const gate = () =>
    gateAttempts(db(), me, [{ ...claimed, invite: 1, room: 'room', revision: '0', until: null, patienceMs: 600_000 }]);
  return { callId, gate };
}

// shows: pre-dial.gate
test('the gate itself holds a call whose answer has run out, or that nobody asked about', async () => {
  const { gate } = await clearedAndClaimed();
  await sql`update pre_dial_answers set holds_until = now() - interval '1 ms'`.execute(db());
  expect(await gate()).toMatchObject([{ refusal: 'held' }]);
  await sql`delete from pre_dial_answers`.execute(db());
  expect(await gate()).toMatchObject([{ refusal: 'held' }]);
  await sql`update batches set pre_dial = null`.execute(db());
  expect(await gate()).toMatchObject([{ refusal: null }]);
});

test('nobody of the do-not-call list is asked about', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway);
  const numbers = numbersEndingIn(7, 2);
  await testEnv.calls(gateway, batchId, numbers);
  await db()
    .insertInto('do_not_call')
    .values({ account_id: testEnv.accountId, e164: numbers[0] ?? '' })
    .execute();
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(endpoint.numbers()).toEqual([numbers[1]]);
  expect((await callsOf(batchId))[0]).toMatchObject({ reason: 'do_not_call' });
});

test('one who leaves the do-not-call list after a question has passed over them is not claimed before they are asked about', async () => {
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway, { timeoutMs: 100 });
  const [number = ''] = numbersEndingIn(7, 1);
  await testEnv.calls(gateway, batchId, [number]);
  await db().insertInto('do_not_call').values({ account_id: testEnv.accountId, e164: number }).execute();
  const me = randomUUID();
  await startLease(db(), { id: me, host: 'here', pid: 1 }, 60);
  expect(await claimAttempts(db(), me, 10)).toEqual([]);
  await takeQuestion(db(), randomUUID(), 100, nothingUnderWay);
  // Whoever took the question dies before it has settled anything.
  await db().deleteFrom('do_not_call').execute();
  await wakeGateways(db(), [gateway.id]);
  expect(await claimAttempts(db(), me, 10)).toEqual([]);
  await testEnv.dialer();
  await until(() => settled(batchId));
  expect(endpoint.numbers()).toEqual([number]);
  expect(dialed()).toEqual([number]);
});

// shows: pre-dial.paused
test('a batch that is paused while its endpoint is asked dials nobody; resumed within the minute, it goes by the answer', async () => {
  const held: (() => void)[] = [];
  endpoint.misbehave = (response) =>
    held.push(() => {
      const [record] = endpoint.questions[0]?.records ?? [];
      response.end(JSON.stringify({ records: { [record?.recordId ?? '']: { eligible: true } } }));
    });
  const gateway = await testEnv.gateway();
  const batchId = await asked(gateway, { timeoutMs: 5_000 });
  await testEnv.calls(gateway, batchId, numbersEndingIn(7, 1));
  await testEnv.dialer();
  await until(() => held.length === 1);
  await sql`update batches set paused = true`.execute(db());
  for (const answer of held) answer();
  await until(async () => {
    const { cleared } = await db().selectFrom('pre_dial_answers').select('cleared').executeTakeFirstOrThrow();
    return cleared;
  });
  await wakeGateways(db(), [gateway.id]);
  await until(async () => {
    const { rows } = await sql`select 1 from gateway_admission where next_claim_at = 'infinity'`.execute(db());
    return rows.length > 0;
  });
  expect(invites()).toEqual([]);
  await sql`update batches set paused = false`.execute(db());
  await wakeGateways(db(), [gateway.id]);
  await until(() => settled(batchId));
  expect(dialed()).toHaveLength(1);
  expect(endpoint.questions).toHaveLength(1);
});
