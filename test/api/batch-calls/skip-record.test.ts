import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { formatId } from '../../../domain/ids.js';
import { anAccount, api, here } from '../support.js';
import { aBatchOf } from './support-records.js';
import { outboxOf } from './support.js';

const urlOf = (batchId: string, callId: string) =>
  `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}/skip`;

let records = 0;

/** A running batch with one record, and with an attempt of it in this phase. */
async function oneRecord(status: 'pending' | 'retrying' | 'dialing' | 'answered' | 'cancelled', phase?: string) {
  records += 1;
  // A number can be live only once.
  const phoneNumber = `+91987709${String(records).padStart(4, '0')}`;
  const { batchId, route, callIds } = await aBatchOf([{ phoneNumber, status }], { status: 'running' });
  const [callId = ''] = callIds;
  const { db } = here().database;
  if (phase !== undefined) {
    await sql`insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, to_number, due_at, phase, claimed_by)
      values (${callId}, 1, ${here().me.account.id}, ${batchId}, ${route.gatewayId}, ${phoneNumber}, now(), ${phase},
        ${phase === 'queued' ? null : '019a0000-0000-7000-8000-000000000000'})`.execute(db);
  }
  return { batchId, callId, url: urlOf(batchId, callId) };
}

const attemptsOf = async (callId: string) =>
  here().database.db.selectFrom('call_attempts').select('phase').where('call_id', '=', callId).execute();

describe('200', () => {
  // shows: recipients.skip
  test.each([
    ['pending', undefined],
    ['pending', 'queued'],
    ['pending', 'claimed'],
    ['retrying', undefined],
  ] as const)('a recipient that is %s (attempt: %s) is cancelled, and its workflow is told', async (status, phase) => {
    const { batchId, callId, url } = await oneRecord(status, phase);
    expect(await api.post(url)).toMatchObject({
      status: 200,
      body: { recordId: formatId('record', callId), status: 'cancelled', reason: 'skipped' },
    });
    expect(await attemptsOf(callId)).toEqual([]);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
      counts: { [status]: 0, cancelled: 1 },
      waiting: { total: 0 },
    });
    expect(await outboxOf(`${batchId}/calls-1`)).toEqual([{ kind: 'signal', name: 'reload', input: {} }]);
  });

  test('it is in the audit log', async () => {
    const { batchId, url, callId } = await oneRecord('pending');
    await api.post(url);
    expect((await api.get('/v1/account/audit-log?perPage=1')).body).toMatchObject({
      data: [{ action: 'batch-call.skip-record', target: batchId, details: { recordId: formatId('record', callId) } }],
    });
  });
});

describe('404', () => {
  test('a record of another batch and what is no id are not found, nor is a batch of another account', async () => {
    const mine = await oneRecord('pending');
    const other = await oneRecord('pending');
    const { token } = await anAccount();
    const strange = await api.post(mine.url, undefined, { token });
    expect(strange).toMatchObject({ status: 404, body: { message: 'Batch call not found' } });
    const answers = [
      await api.post(urlOf(mine.batchId, other.callId)),
      await api.post(`/v1/batch-calls/${mine.batchId}/records/nothing/skip`),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { message: 'Record not found' } });
    for (const { batchId } of [mine, other]) {
      expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ counts: { pending: 1 } });
    }
  });
});

describe('409', () => {
  // shows: recipients.skip.409
  test.each([
    ['dialing', 'dialing'],
    ['dialing', 'ringing'],
    ['answered', undefined],
    ['cancelled', undefined],
  ] as const)('a recipient that is %s (attempt: %s) is not skipped', async (status, phase) => {
    const { batchId, url } = await oneRecord(status, phase);
    expect((await api.post(url)).status).toBe(409);
    expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ counts: { [status]: 1 } });
  });
});
