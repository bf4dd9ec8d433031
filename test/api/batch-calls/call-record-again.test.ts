import { sql } from 'kysely';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { RecordStatus } from '../../../domain/call/call.js';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here } from '../support.js';
import { aBatchOf } from './support-records.js';
import { outboxOf } from './support.js';

const urlOf = (batchId: string, callId: string) =>
  `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}/call-again`;
const db = () => here().database.db;

let records = 0;

/** A batch that runs, if nothing else is asked for, with one record. */
async function oneRecord(status: RecordStatus, batchStatus: BatchStatus = 'running') {
  records += 1;
  const phoneNumber = `+91987729${String(records).padStart(4, '0')}`;
  const { batchId, callIds } = await aBatchOf([{ phoneNumber, status, reason: 'sip_486' }], { status: batchStatus });
  const [callId = ''] = callIds;
  // The counters know it as dialed.
  await sql`update batch_counters set attempts = 1 where batch_id = ${batchId}`.execute(db());
  return { batchId, callId, phoneNumber, url: urlOf(batchId, callId) };
}

const attemptsOf = (callId: string) =>
  db()
    .selectFrom('call_attempts')
    .select(['number', 'phase', 'again'])
    .where('call_id', '=', callId)
    .orderBy('number')
    .execute();
const batchOf = async (batchId: string) => (await api.get(`/v1/batch-calls/${batchId}`)).body;
const queuedAgain = { phase: 'queued', again: true };

describe('200', () => {
  // shows: recipients.again
  test.each(['answered', 'failed', 'not-answered', 'rejected', 'missed', 'abandoned'] as const)(
    'a recipient that is %s gets one more attempt, which is in the queue at once, and counts as one that waits',
    async (status) => {
      const { batchId, callId, url } = await oneRecord(status);
      const { status: code, body } = await api.post(url);
      expect({ code, body }).toMatchObject({ code: 200, body: { status: 'retrying', attempts: 1 } });
      for (const field of ['reason', 'answeredBy', 'callDuration']) expect(body).not.toHaveProperty(field);
      expect(await attemptsOf(callId)).toMatchObject([{ phase: 'ended' }, { number: 2, ...queuedAgain }]);
      expect(await batchOf(batchId)).toMatchObject({
        status: 'running',
        counts: { retrying: 1, [status]: 0 },
        waiting: { total: 1 },
      });
    },
  );

  test('one that was skipped before its first call gets that call, not before its notBefore', async () => {
    const { callId, url } = await oneRecord('cancelled');
    const notBefore = new Date(Date.now() + 3_600_000).toISOString();
    await sql`update calls set not_before = ${notBefore} where id = ${callId}`.execute(db());
    expect(await api.post(url)).toMatchObject({ status: 200, body: { status: 'pending', nextAttemptAt: notBefore } });
    expect(await attemptsOf(callId)).toMatchObject([{ number: 1, ...queuedAgain }]);
  });

  test('its workflow is told, and another is started for it if it has ended', async () => {
    const ofFile = await oneRecord('failed');
    await api.post(ofFile.url);
    expect(await outboxOf(`${ofFile.batchId}/calls-1`)).toEqual([{ kind: 'signal', name: 'reload', input: {} }]);
    expect(await outboxOf(ofFile.batchId)).toEqual([{ kind: 'signal', name: 'reconsider', input: {} }]);
    const added = await oneRecord('failed');
    await sql`update calls set position = ${firstAddedPosition} where id = ${added.callId}`.execute(db());
    await api.post(added.url);
    expect(await outboxOf(`${added.batchId}/added-1`)).toMatchObject([
      { kind: 'signal', name: 'reload' },
      { kind: 'start', name: 'calls' },
    ]);
  });

  test('what the account has used stays used', async () => {
    const { url } = await oneRecord('answered');
    const used = async () =>
      (
        await sql<{ answered: string; talked: number }>`
        select coalesce(sum(answered), 0) as answered, coalesce(sum(talk_seconds), 0) as talked from usage_days
        where account_id = ${here().me.account.id}`.execute(db())
      ).rows;
    const before = await used();
    expect((await api.post(url)).status).toBe(200);
    expect(await used()).toEqual(before);
  });

  // shows: recipients.idempotent
  test('an Idempotency-Key repeats the answer, and there is one attempt', async () => {
    const { callId, url } = await oneRecord('failed');
    const headers = { 'idempotency-key': `again-${callId}` };
    const answers = [await api.post(url, {}, { headers }), await api.post(url, {}, { headers })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await attemptsOf(callId)).toHaveLength(2);
  });

  test('it is in the audit log', async () => {
    const { batchId, callId, url } = await oneRecord('failed');
    await api.post(url);
    expect((await api.get('/v1/account/audit-log?perPage=1')).body).toMatchObject({
      data: [
        { action: 'batch-call.call-record-again', target: batchId, details: { recordId: formatId('record', callId) } },
      ],
    });
  });
});

describe('404', () => {
  test('a record of another batch and what is no id are not found, nor is a batch of another account', async () => {
    const mine = await oneRecord('failed');
    const other = await oneRecord('failed');
    const { token } = await anAccount();
    expect(await api.post(mine.url, undefined, { token })).toMatchObject({
      status: 404,
      body: { message: 'Batch call not found' },
    });
    for (const url of [
      urlOf(mine.batchId, other.callId),
      `/v1/batch-calls/${mine.batchId}/records/nothing/call-again`,
    ]) {
      expect(await api.post(url)).toMatchObject({ status: 404, body: { message: 'Record not found' } });
    }
    expect(await attemptsOf(mine.callId)).toHaveLength(1);
  });
});

describe('409', () => {
  const refused = async (url: string, words: string) => {
    const { status, body } = await api.post(url);
    expect({ status, body: JSON.stringify(body) }).toEqual({
      status: 409,
      body: expect.stringContaining(words) as string,
    });
  };

  // shows: recipients.again.409
  test.each(['pending', 'dialing', 'in-progress', 'retrying'] as const)(
    'a recipient that is %s is called anyway',
    async (status) => {
      await refused((await oneRecord(status)).url, 'is being called, or waits to be');
    },
  );

  test.each(['scheduled', 'cancelling', 'completed', 'cancelled'] as const)(
    'a batch call that is %s calls nobody again',
    async (status) => {
      await refused((await oneRecord('failed', status)).url, 'is not running');
    },
  );

  test('a conversation whose summary is being made, until it is there or it is known that there is none', async () => {
    for (const done of ['summary', 'summary_error'] as const) {
      const { callId, url } = await oneRecord('answered');
      const versionId = formatId('version', v7());
      await sql`
        insert into agent_versions (id, account_id, agent_id, number, name, config)
        select ${versionId}, c.account_id, c.agent_id, (select coalesce(max(number), 0) + 1 from agent_versions where agent_id = c.agent_id),
          'sums up', '{"callSummary":{"enabled":true}}' from calls c where c.id = ${callId}`.execute(db());
      await sql`update calls set version_id = ${versionId} where id = ${callId}`.execute(db());
      await refused(url, 'The summary of its conversation is being made');
      expect(await attemptsOf(callId)).toHaveLength(1);
      await sql`update calls set ${sql.ref(done)} = 'no_transcript' where id = ${callId}`.execute(db());
      expect((await api.post(url)).status).toBe(200);
    }
  });

  // shows: recipients.again
  test('of requests at the same moment one makes an attempt', async () => {
    const { callId, url } = await oneRecord('failed');
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await api.post(url)).status));
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await attemptsOf(callId)).toHaveLength(2);
  });

  test('a conversation that is being analyzed has to be analyzed first; a machine’s never is', async () => {
    const { callId, url } = await oneRecord('answered');
    await sql`insert into agent_versions (id, account_id, agent_id, number, name, config, analyzes)
      select 'ver_' || id, account_id, agent_id, 1000000 + position, 'v', '{}', true from calls where id = ${callId}`.execute(
      db(),
    );
    await sql`update calls set version_id = 'ver_' || id where id = ${callId}`.execute(db());
    await refused(url, 'is being analyzed');
    await sql`update calls set answered_by = 'machine' where id = ${callId}`.execute(db());
    expect((await api.post(url)).status).toBe(200);
  });

  test('a number on the do-not-call list, a person whose data are gone, and a call that ended undialed', async () => {
    const listed = await oneRecord('failed');
    await api.post('/v1/do-not-call', { phoneNumbers: [listed.phoneNumber] });
    await refused(listed.url, 'do-not-call list');
    const gone = await oneRecord('failed');
    await sql`update calls set purged_at = now() where id = ${gone.callId}`.execute(db());
    await refused(gone.url, 'have been deleted');
    const undialed = await oneRecord('failed');
    await sql`update calls set attempts_made = 0 where id = ${undialed.callId}`.execute(db());
    await refused(undialed.url, 'before it could be dialed');
  });
});
