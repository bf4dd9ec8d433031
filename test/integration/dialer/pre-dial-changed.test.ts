import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveWindow } from '../../../activities/move-window.js';
import { planCallback } from '../../../db/queries/batches/callback.js';
import type { PreDial } from '../../../domain/batch/pre-dial.js';
import { preDialEndpoint, type PreDialEndpoint } from '../../setup/pre-dial-endpoint.js';
import { dialerTestEnv, numbersEndingIn, until, type DialerTestEnv } from './test-env.js';

let testEnv: DialerTestEnv;
let endpoint: PreDialEndpoint;
/** What answers the questions that are held. */
let held: ((verdicts: readonly (object | undefined)[]) => void)[];

beforeEach(async () => {
  testEnv = await dialerTestEnv({ speed: 50 });
  endpoint = await preDialEndpoint();
  const webhook_secret_sealed = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  await db().updateTable('accounts').set({ webhook_secret_sealed }).execute();
  held = [];
  endpoint.misbehave = (response) => {
    const { records } = endpoint.questions.at(-1)!;
    held.push((verdicts) => {
      const said = records.flatMap(({ recordId }, place) =>
        verdicts[place] === undefined ? [] : [[recordId, verdicts[place]]],
      );
      response.end(JSON.stringify({ records: Object.fromEntries(said) as unknown }));
    });
  };
});
afterEach(async () => {
  await endpoint.close();
  await testEnv.close();
});

const db = () => testEnv.database.db;
const dialed = () => testEnv.ledger().flatMap(({ event, to }) => (event === 'invite' ? [to] : []));
const callsOf = (batchId: string) =>
  db().selectFrom('calls').selectAll().where('batch_id', '=', batchId).orderBy('position').execute();

/** Recipients about whom the endpoint is being asked. */
async function askedAbout(people: number, onError: PreDial['onError'], attemptsMade = 0) {
  const gateway = await testEnv.gateway();
  const batchId = await testEnv.batch(gateway, { preDial: { url: endpoint.url, timeoutMs: 30_000, onError } });
  const numbers = numbersEndingIn(7, people);
  const ids = await testEnv.calls(gateway, batchId, numbers);
  await sql`update calls set attempts_made = ${attemptsMade}`.execute(db());
  await sql`update call_attempts set number = ${attemptsMade + 1}`.execute(db());
  await testEnv.dialer();
  await until(() => held.length === 1);
  return { batchId, numbers, ids };
}

// shows: pre-dial.changed
test.each<[string, PreDial['onError'], object | undefined]>([
  ['refuses', 'wait', { eligible: false, reason: 'no' }],
  ['leaves out', 'skip', undefined],
])('a recipient whom an endpoint %s after it was taken away is called', async (_, onError, verdict) => {
  const { batchId, numbers } = await askedAbout(3, onError);
  expect(await testEnv.change(batchId, { preDial: null })).toBe('done');
  held[0]!([verdict, { eligible: true }, verdict]);
  await until(async () => (await callsOf(batchId)).every(({ settled }) => settled));
  expect((await callsOf(batchId)).map(({ status, reason }) => [status, reason])).toEqual(
    Array(3).fill(['answered', 'callee_hung_up']),
  );
  expect(dialed().toSorted()).toEqual(numbers.toSorted());
});

/** Of the first recipient, whom an answer leaves out. */
async function dueAfterLeftOut(callId: string): Promise<number> {
  held[0]!([undefined, { eligible: true }]);
  await until(async () => {
    const left = await db().selectFrom('pre_dial_answers').select('call_id').where('cleared', '=', false).execute();
    return left.length === 0;
  });
  const { due_at } = await db()
    .selectFrom('call_attempts')
    .select('due_at')
    .where('call_id', '=', callId)
    .where('phase', '=', 'queued')
    .executeTakeFirstOrThrow();
  return due_at.getTime();
}

test('one whom an answer leaves out waits for the calling window that the batch has got while it was asked', async () => {
  const { batchId, ids } = await askedAbout(2, 'wait');
  const tomorrow = (new Date().getUTCDay() + 1) % 7 || 7;
  const callingWindow = { from: '12:00', until: '13:00', daysOfWeek: [tomorrow], timezone: 'UTC' } as const;
  await testEnv.change(batchId, { callingWindow });
  await moveWindow(db(), testEnv.accountId, batchId, new AbortController().signal);
  const due = await dueAfterLeftOut(ids[0]!);
  expect(new Date(due).toISOString()).toMatch(/T12:00:00/);
});

test('one whom an answer leaves out waits for the instant that they were promised while it was asked', async () => {
  const { batchId, ids } = await askedAbout(2, 'wait', 1);
  const [callId = ''] = ids;
  const { accountId } = testEnv;
  const at = new Date(Date.now() + 3 * 3_600_000);
  const planned = await db()
    .transaction()
    .execute((tx) => planCallback(tx, { accountId, batchId, callId }, at, new Date()));
  expect(planned).toMatchObject({ outcome: 'planned' });
  expect(await dueAfterLeftOut(callId)).toBe(at.getTime());
});
