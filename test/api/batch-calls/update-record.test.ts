import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { firstAddedPosition } from '../../../domain/batch/fan-out.js';
import type { RecordStatus } from '../../../domain/call/call.js';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here } from '../support.js';
import { aBatchOf } from './support-records.js';
import { outboxOf } from './support.js';

const urlOf = (batchId: string, callId: string) => `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}`;
const db = () => here().database.db;
const metadataOf = ({ body }: { readonly body: unknown }): unknown => (body as { metadata: unknown }).metadata;
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

let records = 0;

/** A running batch with one record, and with an attempt of it in this phase. */
async function oneRecord(status: RecordStatus = 'pending', phase?: string) {
  records += 1;
  // A number can be live only once.
  const phoneNumber = `+91987719${String(records).padStart(4, '0')}`;
  const made = await aBatchOf([{ phoneNumber, status, metadata: { name: 'Asha' } }], { status: 'running' });
  const { batchId, route } = made;
  const [callId = ''] = made.callIds;
  if (phase !== undefined) {
    await sql`insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at, phase, claimed_by)
      values (${callId}, 1, ${here().me.account.id}, ${batchId}, ${route.gatewayId}, ${phoneNumber}, now(), ${phase},
        ${phase === 'queued' ? null : '019a0000-0000-7000-8000-000000000000'})`.execute(db());
  }
  return { batchId, callId, route, url: urlOf(batchId, callId) };
}

const attemptOf = (callId: string) =>
  db()
    .selectFrom('call_attempts')
    .select(['phase', 'claimed_by', 'due_at', 'not_after', 'priority'])
    .where('call_id', '=', callId)
    .executeTakeFirst();
const waitingOf = async (batchId: string) =>
  ((await api.get(`/v1/batch-calls/${batchId}`)).body as { waiting: { total: number; reasons: { reason: string }[] } })
    .waiting;

describe('200', () => {
  // shows: recipients.patch
  test.each([undefined, 'queued', 'claimed'])(
    'metadata, notBefore and priority of a recipient that waits (attempt: %s) are changed, and it waits for its new time',
    async (phase) => {
      const { batchId, callId, url } = await oneRecord('pending', phase);
      const notBefore = soon();
      const metadata = { name: 'Ravi', debts: [1, null] };
      expect(await api.patch(url, { metadata, notBefore, priority: 2 })).toMatchObject({
        status: 200,
        body: { recordId: formatId('record', callId), metadata, notBefore, nextAttemptAt: notBefore, priority: 2 },
      });
      expect(await waitingOf(batchId)).toEqual({
        total: 1,
        reasons: [{ reason: 'not_before', count: 1, until: notBefore }],
      });
      const attempt = await attemptOf(callId);
      if (phase === undefined) expect(attempt).toBeUndefined();
      else {
        expect(attempt).toMatchObject({ phase: 'queued', claimed_by: null, priority: 2, due_at: new Date(notBefore) });
      }
      const { columns, priorities } = await db()
        .selectFrom('batches')
        .select(['columns', 'priorities'])
        .where('id', '=', batchId)
        .executeTakeFirstOrThrow();
      expect({ columns, priorities }).toEqual({ columns: ['phone_number', 'name', 'debts'], priorities: [2, 5] });
    },
  );

  test('nulls clear: no metadata, priority 5, and called at once', async () => {
    const { batchId, callId, url } = await oneRecord('pending', 'queued');
    await api.patch(url, { notBefore: soon(), priority: 1 });
    const answer = await api.patch(url, { metadata: null, notBefore: null, priority: null });
    expect({ status: answer.status, metadata: metadataOf(answer) }).toEqual({ status: 200, metadata: {} });
    for (const field of ['notBefore', 'priority', 'nextAttemptAt']) expect(answer.body).not.toHaveProperty(field);
    const attempt = await attemptOf(callId);
    expect(attempt?.priority).toBe(5);
    expect(attempt?.due_at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await waitingOf(batchId)).toMatchObject({ reasons: [{ count: 1 }] });
    expect((await waitingOf(batchId)).reasons[0]?.reason).not.toBe('not_before');
  });

  test('what is not sent stays, and an empty body changes nothing', async () => {
    const { url } = await oneRecord();
    const notBefore = soon();
    await api.patch(url, { notBefore, priority: 3 });
    expect((await api.patch(url, { metadata: { name: 'B' } })).body).toMatchObject({ notBefore, priority: 3 });
    expect((await api.patch(url, {})).body).toMatchObject({ notBefore, priority: 3, metadata: { name: 'B' } });
  });

  test('a new time lies in the calling window of the batch', async () => {
    const { batchId, callId, url } = await oneRecord('pending', 'queued');
    const window = { from: '09:00', until: '10:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7], timezone: 'UTC' };
    await sql`update batches set calling_window = ${JSON.stringify(window)}::jsonb where id = ${batchId}`.execute(db());
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await api.patch(url, { notBefore: `${day}T08:00:00Z` });
    expect(await attemptOf(callId)).toMatchObject({
      due_at: new Date(`${day}T09:00:00Z`),
      not_after: new Date(`${day}T10:00:00Z`),
    });
    await api.patch(url, { notBefore: `${day}T09:30:00+00:00` });
    expect(await attemptOf(callId)).toMatchObject({
      due_at: new Date(`${day}T09:30:00Z`),
      not_after: new Date(`${day}T10:00:00Z`),
    });
  });

  test('the workflow that waits for the old time is told', async () => {
    const { batchId, url } = await oneRecord();
    await api.patch(url, { notBefore: soon() });
    // It begins later, or asks the queue, which reads the recipient.
    expect(await outboxOf(`${batchId}/calls-1`)).toEqual([]);
    await api.patch(url, { notBefore: null });
    expect(await outboxOf(`${batchId}/calls-1`)).toEqual([{ kind: 'signal', name: 'reload', input: {} }]);
  });

  test('a priority has the batch call start with all of its recipients, because one of the last may come first', async () => {
    const { batchId, url } = await oneRecord();
    await api.patch(url, { priority: 1 });
    await api.patch(url, { priority: 2 });
    expect(await outboxOf(batchId)).toEqual([{ kind: 'signal', name: 'reconsider', input: {} }]);
    const added = await oneRecord();
    await sql`update calls set position = ${firstAddedPosition} where id = ${added.callId}`.execute(db());
    await api.patch(added.url, { priority: 1 });
    expect(await outboxOf(added.batchId)).toEqual([]);
  });

  test('it is in the audit log', async () => {
    const { batchId, url, callId } = await oneRecord();
    await api.patch(url, { priority: 4 });
    expect((await api.get('/v1/account/audit-log?perPage=1')).body).toMatchObject({
      data: [
        {
          action: 'batch-call.update-record',
          target: batchId,
          details: { recordId: formatId('record', callId), fields: ['priority'] },
        },
      ],
    });
  });
});

describe('400', () => {
  test('all problems are named at once, and nothing is changed', async () => {
    const { url } = await oneRecord();
    const names = Object.fromEntries(Array.from({ length: 201 }, (_, place) => [`n${place}`, 'x'.repeat(90)]));
    const { status, body } = await api.patch(url, {
      metadata: names,
      notBefore: '2027-03-01T09:30',
      priority: 10,
      phoneNumber: '+14155550123',
    });
    expect(status).toBe(400);
    for (const words of ['at most 16 KB', 'at most 200 names', 'must be an instant', 'at most 9', 'phoneNumber']) {
      expect(JSON.stringify(body)).toContain(words);
    }
    expect(metadataOf(await api.patch(url, {}))).toEqual({ name: 'Asha' });
  });

  test('names that would be too many for the batch call are refused', async () => {
    const { batchId, url } = await oneRecord();
    const columns = ['phone_number', ...Array.from({ length: 200 }, (_, place) => `c${place}`)];
    await sql`update batches set columns = ${columns}::text[] where id = ${batchId}`.execute(db());
    expect(await api.patch(url, { metadata: { c1: 'known' } })).toMatchObject({ status: 200 });
    const refused = await api.patch(url, { metadata: { other: 'new' } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('200 different names');
    expect(metadataOf(await api.patch(url, {}))).toEqual({ c1: 'known' });
  });
});

describe('404', () => {
  test('a record of another batch and what is no id are not found, nor is a batch of another account', async () => {
    const mine = await oneRecord();
    const other = await oneRecord();
    const { token } = await anAccount();
    const strange = await api.patch(mine.url, { priority: 1 }, { token });
    expect(strange).toMatchObject({ status: 404, body: { message: 'Batch call not found' } });
    const answers = [
      await api.patch(urlOf(mine.batchId, other.callId), { priority: 1 }),
      await api.patch(`/v1/batch-calls/${mine.batchId}/records/nothing`, { priority: 1 }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { message: 'Record not found' } });
    expect((await api.patch(mine.url, {})).body).not.toHaveProperty('priority');
  });
});

describe('409', () => {
  // shows: recipients.patch.409
  test.each([
    ['dialing', 'dialing', 'is being called'],
    ['dialing', 'ringing', 'is being called'],
    ['in-progress', 'answered', 'is being called'],
    ['answered', undefined, 'not called any more'],
    ['cancelled', undefined, 'not called any more'],
    ['retrying', undefined, 'has been called'],
  ] as const)('a recipient that is %s (attempt: %s) is not changed', async (status, phase, words) => {
    const { callId, url } = await oneRecord(status, phase);
    await sql`update calls set attempts_made = 1 where id = ${callId} and status = 'retrying'`.execute(db());
    const answer = await api.patch(url, { priority: 1, metadata: { other: 'new' } });
    expect(answer.status).toBe(409);
    expect(JSON.stringify(answer.body)).toContain(words);
    const { metadata, priority } = await db()
      .selectFrom('calls')
      .select(['metadata', 'priority'])
      .where('id', '=', callId)
      .executeTakeFirstOrThrow();
    expect({ metadata, priority }).toEqual({ metadata: { name: 'Asha' }, priority: null });
  });

  test('nor one of a batch call that is being cancelled', async () => {
    const { batchId, url } = await oneRecord();
    await sql`update batches set status = 'cancelling', cancel_mode = 'graceful' where id = ${batchId}`.execute(db());
    expect((await api.patch(url, { priority: 1 })).status).toBe(409);
  });
});
