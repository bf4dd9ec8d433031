import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditBatch } from '../../../db/queries/audit/batches.js';
import { finishBatch } from '../../../db/queries/batches/finish.js';
import { skipRecord } from '../../../db/queries/batches/skip-record.js';
import { settleAnalysis, storeAnalysis } from '../../../db/queries/calls/analyses.js';
import { settleSummary, storeSummary } from '../../../db/queries/calls/summaries.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { wakeGateways } from '../../../db/queries/dialer/wake-gateways.js';
import { dialerTestEnv, until, type DialerTestEnv, type Gateway } from './test-env.js';

const answering = { ringAfterSeconds: 0, answerAfterSeconds: 0 };
const person = { kind: 'answer', talkSeconds: 20, answeredBy: 'human', endedBy: 'callee', ...answering } as const;
const machine = { kind: 'answer', talkSeconds: 10, answeredBy: 'machine', endedBy: 'agent', ...answering } as const;
const [callee, mailbox] = ['+15550170001', '+15550170002'];

let testEnv: DialerTestEnv;
let gateway: Gateway;
const db = () => testEnv.database.db;
const dialDelaySeconds = 1;

beforeEach(async () => {
  testEnv = await dialerTestEnv({ scenario: { numbers: { [callee]: [person], [mailbox]: [machine] } } });
  gateway = await testEnv.gateway();
  await sql`alter table agent_versions disable trigger user`.execute(db());
  await theAgent({ success: 'kept' });
  await testEnv.dialer();
});
afterEach(() => testEnv.close());

const theAgent = (analysis: object) =>
  sql`update agent_versions set analyzes = true, config = ${JSON.stringify({ analysis })}`.execute(db());

const aBatch = (retryDelaysSeconds: readonly number[] = [dialDelaySeconds]) =>
  testEnv.batch(gateway, { retryOn: ['unsuccessful'], retryDelaysSeconds });

async function row(id: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select status, settled, attempts_made as attempts, success, analysis_until is not null as awaited from calls where id = ${id}`.execute(
    db(),
  );
  return rows[0];
}
const isSettled = (id: string) => until(async () => (await row(id))?.settled === true);
const finish = (batchId: string) => finishBatch(db(), testEnv.accountId, batchId);

/** A batch with one recipient, who was answered and waits for the analysis. */
async function anAnswered(number = callee, delays?: readonly number[]) {
  const batchId = await aBatch(delays);
  const [id = ''] = await testEnv.calls(gateway, batchId, [number]);
  await isSettled(id);
  return { batchId, id };
}

/** What the workflow does when the model has answered. */
async function analyzed(callId: string, attempt: number, success: boolean | null): Promise<void> {
  const conversation = { accountId: testEnv.accountId, callId, attempt };
  if (success !== null) await storeAnalysis(db(), conversation, { kept: success }, success);
  await settleAnalysis(db(), conversation, success === null ? 'unavailable' : null);
}

/** The workflow's part: queues the attempt that is planned. */
async function queueNext(batchId: string, id: string, attempt: number): Promise<void> {
  await queueAttempts(db(), { accountId: testEnv.accountId, batchId, attempts: [[id, attempt]] }, new Date());
  await wakeGateways(db(), [gateway.id]);
}

const signalsOf = async (batchId: string) =>
  (
    await sql<{ name: string }>`
      select name from outbox where workflow_id like ${`${batchId}%`} and kind = 'signal' order by id`.execute(db())
  ).rows.map(({ name }) => name);

// shows: retry.unsuccessful
test('whoever is answered without success is called again once per retry of the plan, however often an analysis settles', async () => {
  const { batchId, id } = await anAnswered(callee, [dialDelaySeconds, dialDelaySeconds]);
  for (const attempt of [1, 2]) {
    expect(await row(id)).toMatchObject({ status: 'answered', settled: true, attempts: attempt, awaited: true });
    const waiting = await finish(batchId);
    expect(waiting).toMatchObject({ status: 'running', waits: true });
    expect(Math.round((waiting.until!.getTime() - Date.now()) / 60_000)).toBe(60);

    await Promise.all([1, 2, 3].map(() => analyzed(id, attempt, false)));
    await analyzed(id, attempt, false);

    expect(await row(id)).toMatchObject({ status: 'retrying', settled: false, attempts: attempt, awaited: false });
    const { rows } = await sql<{ waited: number }>`
      select extract(epoch from c.next_attempt_at - a.ended_at)::float8 as waited
      from calls c join call_attempts a on a.call_id = c.id and a.number = c.attempts_made
      where c.id = ${id} and a.next_attempt_at = c.next_attempt_at`.execute(db());
    expect(rows).toEqual([{ waited: dialDelaySeconds }]);
    expect((await signalsOf(batchId)).slice(-2)).toEqual(['reload', 'reconsider']);
    await queueNext(batchId, id, attempt + 1);
    await until(async () => (await row(id))?.attempts === attempt + 1);
  }
  // No retry is left.
  expect(await row(id)).toMatchObject({ status: 'answered', attempts: 3, awaited: false });
  await analyzed(id, 3, false);
  expect(await row(id)).toMatchObject({ status: 'answered', attempts: 3, success: false });
  expect(await finish(batchId)).toEqual({ status: 'completed', waits: false, ended: true });
  const invites = testEnv.ledger().filter(({ event, callId }) => event === 'invite' && callId === id);
  expect(invites).toHaveLength(3);
  expect(await auditBatch(db(), { accountId: testEnv.accountId, id: batchId }, null)).toEqual([]);
});

test('each conversation with a recipient who is called again for want of success has a summary of its own, and tells it once', async () => {
  const url = 'https://hooks.example.com/summaries';
  const config = { analysis: { success: 'kept' }, callSummary: { enabled: true, webhook: { url } } };
  await sql`update agent_versions set config = ${JSON.stringify(config)}`.execute(db());
  const { batchId, id } = await anAnswered();
  const summarized = async (attempt: number, summary: string) => {
    const conversation = { accountId: testEnv.accountId, callId: id, attempt };
    await storeSummary(db(), conversation, summary);
    await settleSummary(db(), conversation, null);
    await settleSummary(db(), conversation, null);
  };
  await summarized(1, 'Asha thinks about it.');
  await analyzed(id, 1, false);
  await queueNext(batchId, id, 2);
  await until(async () => (await row(id))?.attempts === 2);
  await summarized(2, 'Asha agrees.');

  const { rows } = await sql<{ summary: string; told: string }>`
    select c.summary, d.payload::json ->> 'summary' as told from calls c join webhook_deliveries d on d.call_id = c.id
    order by d.id`.execute(db());
  expect(rows).toEqual([
    { summary: 'Asha agrees.', told: 'Asha thinks about it.' },
    { summary: 'Asha agrees.', told: 'Asha agrees.' },
  ]);
});

test.each([
  ['the analysis says success', () => Promise.resolve(), true],
  ['the analysis fails for good', () => Promise.resolve(), null],
  ['the analysis takes more than an hour', sql`update calls set analysis_until = now() - interval '1 second'`, false],
  [
    'the number has come onto the do-not-call list',
    sql`insert into do_not_call (account_id, e164) select account_id, to_number from calls`,
    false,
  ],
  ['a machine is known by now to have answered', sql`update calls set answered_by = 'machine'`, false],
  ['the plan lists it no more', sql`update batches set retry_on = '{missed}'`, false],
  ['the batch is being cancelled', sql`update batches set status = 'cancelling', cancel_mode = 'graceful'`, false],
  ['the person was erased', sql`update calls set erased_at = now()`, false],
] as const)('nobody is called again, and the batch can end, if %s', async (_when, change, success) => {
  const { batchId, id } = await anAnswered();
  if (typeof change === 'function') await change();
  else await change.execute(db());
  await analyzed(id, 1, success);
  expect(await row(id)).toMatchObject({ status: 'answered', settled: true, attempts: 1, awaited: false });
  expect(await signalsOf(batchId)).toContain('reconsider');
  expect(await finish(batchId)).toMatchObject({ status: 'completed' });
});

test('whoever is skipped while the analysis is made stays answered, and is not called again', async () => {
  const { batchId, id } = await anAnswered();
  const skip = () =>
    db()
      .transaction()
      .execute((tx) => skipRecord(tx, testEnv.accountId, batchId, id));
  expect(await skip()).toMatchObject({ outcome: 'skipped' });
  expect(await skip()).toMatchObject({ outcome: 'settled' });
  await analyzed(id, 1, false);
  expect(await row(id)).toMatchObject({ status: 'answered', attempts: 1, success: false });
  expect(await finish(batchId)).toMatchObject({ status: 'completed' });
});

test('a voicemail is an outcome of its own, and an agent without success has nobody waited for', async () => {
  const voicemail = await anAnswered(mailbox);
  expect(await row(voicemail.id)).toMatchObject({ status: 'answered', awaited: false });
  expect(await finish(voicemail.batchId)).toMatchObject({ status: 'completed' });
  await theAgent({});
  const unjudged = await anAnswered();
  expect(await row(unjudged.id)).toMatchObject({ status: 'answered', awaited: false });
  expect(await finish(unjudged.batchId)).toMatchObject({ status: 'completed' });
});

test('an analysis that is lost holds a batch for an hour, and no longer', async () => {
  const { batchId, id } = await anAnswered();
  expect(await finish(batchId)).toMatchObject({ status: 'running', waits: true });
  await sql`update calls set analysis_until = now() where id = ${id}`.execute(db());
  expect(await finish(batchId)).toEqual({ status: 'completed', waits: false, ended: true });
  await analyzed(id, 1, false);
  expect(await row(id)).toMatchObject({ status: 'answered', settled: true, awaited: false });
});
