import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { settleUndialed } from '../../../db/queries/dialer/settle-undialed.js';
import type { RecordStatus } from '../../../domain/call/call.js';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here } from '../support.js';
import { aBatchOf } from './support-records.js';
import { outboxOf } from './support.js';

const urlOf = (batchId: string, callId: string) =>
  `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}/callback`;
const db = () => here().database.db;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

let records = 0;

/** A batch that runs, if nothing else is asked for, with one record. */
async function oneRecord(status: RecordStatus, batchStatus: BatchStatus = 'running') {
  records += 1;
  const phoneNumber = `+91987730${String(records).padStart(4, '0')}`;
  const { batchId, callIds } = await aBatchOf([{ phoneNumber, status, reason: 'sip_486' }], { status: batchStatus });
  const [callId = ''] = callIds;
  if (status === 'retrying') await sql`update calls set attempts_made = 1 where id = ${callId}`.execute(db());
  // The counters know it as dialed.
  await sql`update batch_counters set attempts = 1 where batch_id = ${batchId}`.execute(db());
  return { batchId, callId, phoneNumber, url: urlOf(batchId, callId) };
}

const callOf = (callId: string) =>
  db()
    .selectFrom('calls')
    .select(['status', 'next_attempt_at', 'callback_at', 'callback_attempt', 'callbacks'])
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
const attemptsOf = (callId: string) =>
  db()
    .selectFrom('call_attempts')
    .select(['number', 'phase', 'again', 'due_at'])
    .where('call_id', '=', callId)
    .orderBy('number')
    .execute();
const batchOf = async (batchId: string) => (await api.get(`/v1/batch-calls/${batchId}`)).body;

describe('200', () => {
  // shows: recipients.callback
  test.each(['answered', 'failed', 'not-answered', 'retrying'] as const)(
    'a recipient that is %s is called once more at that time, and counts as one that waits for it',
    async (status) => {
      const { batchId, callId, url } = await oneRecord(status);
      const at = inHours(26);
      const { status: code, body } = await api.post(url, { at });
      const waits = { status: 'retrying', attempts: 1, nextAttemptAt: at, callback: true };
      expect({ code, body }).toMatchObject({ code: 200, body: waits });
      for (const field of ['reason', 'answeredBy', 'callDuration']) expect(body).not.toHaveProperty(field);
      expect(await callOf(callId)).toMatchObject({ callback_attempt: 2, callbacks: 1 });
      const batch = await batchOf(batchId);
      expect(batch).toMatchObject({
        status: 'running',
        counts: { retrying: 1 },
        waiting: { total: 1, reasons: [{ reason: 'callback', count: 1, until: at }] },
      });
      expect((batch as { waitingFor: string }).waitingFor).toContain('1 waits for a promised callback');
      const listed = await api.get(`/v1/batch-calls/${batchId}/records`);
      expect(listed.body).toMatchObject({ data: [{ nextAttemptAt: at, callback: true }] });
    },
  );

  test('asked again before then, it moves, and counts as one promise', async () => {
    const { callId, url } = await oneRecord('answered');
    await api.post(url, { at: inHours(26) });
    const sooner = inHours(2);
    expect((await api.post(url, { at: sooner })).body).toMatchObject({ nextAttemptAt: sooner, callback: true });
    expect(await callOf(callId)).toMatchObject({ callback_at: new Date(sooner), callbacks: 1 });
  });

  test('a retry that is in the queue waits for that time, outside the plan', async () => {
    const { batchId, callId, url } = await oneRecord('retrying');
    const request = { accountId: here().me.account.id, batchId, attempts: [[callId, 2]] as const };
    await queueAttempts(db(), request, new Date());
    const at = inHours(3);
    expect((await api.post(url, { at })).status).toBe(200);
    expect((await attemptsOf(callId)).at(-1)).toEqual({
      ...{ number: 2, phase: 'queued', again: true },
      due_at: new Date(at),
    });
    expect(await batchOf(batchId)).toMatchObject({ waiting: { reasons: [{ reason: 'callback' }] } });
  });

  test('its workflow is told, and another is started for it if it has ended', async () => {
    const at = inHours(1);
    const ofFile = await oneRecord('failed');
    await api.post(ofFile.url, { at });
    expect(await outboxOf(`${ofFile.batchId}/calls-1`)).toEqual([{ kind: 'signal', name: 'reload', input: {} }]);
    expect(await outboxOf(ofFile.batchId)).toEqual([{ kind: 'signal', name: 'reconsider', input: {} }]);
    const added = await oneRecord('failed');
    await sql`update calls set position = ${firstAddedPosition} where id = ${added.callId}`.execute(db());
    await api.post(added.url, { at });
    expect(await outboxOf(`${added.batchId}/added-1`)).toMatchObject([
      { kind: 'signal', name: 'reload' },
      { kind: 'start', name: 'calls' },
    ]);
  });

  test('what the account has used stays used', async () => {
    const { url } = await oneRecord('answered');
    const used = async () =>
      (
        await sql`select coalesce(sum(answered), 0) as answered, coalesce(sum(talk_seconds), 0) as talked from usage_days
          where account_id = ${here().me.account.id}`.execute(db())
      ).rows;
    const before = await used();
    expect((await api.post(url, { at: inHours(1) })).status).toBe(200);
    expect(await used()).toEqual(before);
  });

  test('an Idempotency-Key repeats the answer; the audit log has it once', async () => {
    const { batchId, callId, url } = await oneRecord('failed');
    const headers = { 'idempotency-key': `back-${callId}` };
    const body = { at: inHours(1) };
    const answers = [await api.post(url, body, { headers }), await api.post(url, body, { headers })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const details = { recordId: formatId('record', callId), at: body.at };
    const log = (await api.get('/v1/account/audit-log?perPage=2')).body as { data: { target: string }[] };
    expect(log.data.filter(({ target }) => target === batchId)).toMatchObject([
      { action: 'batch-call.call-record-back', details },
    ]);
  });
});

describe('400', () => {
  test.each([
    [{}, 'at: is required'],
    [{ at: 'tomorrow' }, 'must be an instant such as'],
    [{ at: '2027-03-01T09:30:00' }, 'must be an instant such as'],
    [{ at: inHours(367 * 24) }, 'at most 366 days ahead'],
  ])('%j is refused with the field', async (body, words) => {
    const { callId, url } = await oneRecord('failed');
    const answer = await api.post(url, body);
    expect({ status: answer.status, body: JSON.stringify(answer.body) }).toEqual({
      status: 400,
      body: expect.stringContaining(words) as string,
    });
    expect(await callOf(callId)).toMatchObject({ status: 'failed', callbacks: 0 });
  });
});

describe('404', () => {
  test('a record of another batch and what is no id are not found, nor is a batch of another account', async () => {
    const mine = await oneRecord('failed');
    const other = await oneRecord('failed');
    const { token } = await anAccount();
    const body = { at: inHours(1) };
    expect(await api.post(mine.url, body, { token })).toMatchObject({
      status: 404,
      body: { message: 'Batch call not found' },
    });
    for (const url of [urlOf(mine.batchId, other.callId), `/v1/batch-calls/${mine.batchId}/records/nothing/callback`]) {
      expect(await api.post(url, body)).toMatchObject({ status: 404, body: { message: 'Record not found' } });
    }
    expect(await callOf(mine.callId)).toMatchObject({ status: 'failed' });
  });
});

describe('409', () => {
  const refused = async (url: string, words: string) => {
    const { status, body } = await api.post(url, { at: inHours(1) });
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 409,
      body: expect.stringContaining(words) as string,
    });
  };

  // shows: recipients.callback.409
  test.each(['scheduled', 'cancelling', 'completed', 'cancelled'] as const)(
    'a batch call that is %s calls nobody back',
    async (status) => {
      await refused((await oneRecord('failed', status)).url, 'is not running');
    },
  );

  test('a live call that is being ended, because its end would break the promise; once it is over it can be promised', async () => {
    const { callId, phoneNumber, url } = await oneRecord('in-progress');
    await sql`
      insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, invite, due_at, claimed_by, claimed_at, dialed_at, hang_up_at,
        hang_up_reason)
      select id, 1, account_id, gateway_id, ${phoneNumber}, 'answered', 1, now(), gen_random_uuid(), now(), now(), now(), 'voicemail' from calls where id = ${callId}`.execute(
      db(),
    );
    expect((await api.post(url, { at: inHours(2) })).status).toBe(200);
    await sql`update call_attempts set hang_up_reason = null where call_id = ${callId}`.execute(db());
    await refused(url, 'is being ended');
    await sql`update call_attempts set phase = 'ended', ended_at = now(), outcome = 'answered', permanent = false where call_id = ${callId}`.execute(
      db(),
    );
    await sql`update calls set status = 'answered', attempts_made = 1, ended_at = now() where id = ${callId}`.execute(
      db(),
    );
    expect((await api.post(url, { at: inHours(1) })).status).toBe(200);
  });

  test('a recipient whose next attempt was ended undialed: no other takes its number, so that the call would wait for ever', async () => {
    const { batchId, callId, url } = await oneRecord('retrying');
    const accountId = here().me.account.id;
    await queueAttempts(db(), { accountId, batchId, attempts: [[callId, 2]] }, new Date());
    expect(await settleUndialed(db(), [{ callId, attempt: 2 }], 'expired')).toHaveLength(1);
    await refused(url, 'before it could be dialed');
    expect(await callOf(callId)).toMatchObject({ status: 'failed', callbacks: 0 });
  });

  test('a recipient that was never called, a number on the do-not-call list, and a person whose data are gone', async () => {
    const waiting = await oneRecord('pending');
    await refused(waiting.url, 'has not been called');
    const listed = await oneRecord('failed');
    await api.post('/v1/do-not-call', { phoneNumbers: [listed.phoneNumber] });
    await refused(listed.url, 'do-not-call list');
    const gone = await oneRecord('failed');
    await sql`update calls set purged_at = now() where id = ${gone.callId}`.execute(db());
    await refused(gone.url, 'have been deleted');
  });
});
