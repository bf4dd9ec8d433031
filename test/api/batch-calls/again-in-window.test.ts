import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { queueAttempts } from '../../../db/queries/calls/queue-attempts.js';
import { formatId } from '../../../domain/ids.js';
import { api, here } from '../support.js';
import { aBatchOf } from './support-records.js';

const db = () => here().database.db;

/** HH:MM that clocks in India show so many hours from now. */
const inIndia = (hours: number): string => {
  const at = new Date(Date.now() + (hours + 5.5) * 3_600_000);
  return at.toISOString().slice(11, 16);
};

const openInIndia = () => ({
  from: inIndia(-1),
  until: inIndia(1),
  daysOfWeek: [1, 2, 3, 4, 5, 6, 7],
  timezone: 'recipient',
});

/** A call to New York that is over, of a batch with India's clock that got a window by the callees' clocks only afterwards. */
async function calledBeforeTheWindow(phoneNumber: string, metadata: Record<string, string> = {}) {
  const { batchId, callIds } = await aBatchOf([{ phoneNumber, status: 'missed', reason: 'sip_486' }], {
    status: 'running',
  });
  const [callId = ''] = callIds;
  await sql`update batch_counters set attempts = 1 where batch_id = ${batchId}`.execute(db());
  await sql`update calls set metadata = ${JSON.stringify(metadata)}::jsonb where id = ${callId}`.execute(db());
  await sql`update batches set timezone = 'Asia/Calcutta', calling_window = ${JSON.stringify(openInIndia())}::jsonb
    where id = ${batchId}`.execute(db());
  const { accountId } = await db()
    .selectFrom('batches')
    .select('account_id as accountId')
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  const url = `/v1/batch-calls/${batchId}/records/${formatId('record', callId)}`;
  return { accountId, batchId, callId, url };
}

const secondAttempt = (callId: string) =>
  db()
    .selectFrom('call_attempts')
    .select(['number', 'phase', 'due_at'])
    .where('call_id', '=', callId)
    .where('number', '=', 2)
    .executeTakeFirstOrThrow();

const aMinuteFromNow = () => new Date(Date.now() + 60_000);

// shows: recipients.again
test('who is called again in a window by the callees’ clocks that came after the first call waits for the own clock', async () => {
  const { callId, url, batchId } = await calledBeforeTheWindow('+12125550101');
  expect((await api.post(`${url}/call-again`)).status).toBe(200);
  expect((await secondAttempt(callId)).due_at > aMinuteFromNow()).toBe(true);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({
    waiting: { total: 1, reasons: [{ reason: 'calling_window', count: 1 }] },
    waitingFor: expect.stringContaining('in New York') as string,
  });
});

// shows: recipients.callback
test('who is called back in such a window waits for the own clock, too', async () => {
  const { accountId, batchId, callId, url } = await calledBeforeTheWindow('+12125550102');
  expect((await api.post(`${url}/callback`, { at: new Date().toISOString() })).status).toBe(200);
  await queueAttempts(db(), { accountId, batchId, attempts: [[callId, 2]] }, new Date());
  expect((await secondAttempt(callId)).due_at > aMinuteFromNow()).toBe(true);
});

test('the timezone column of the row counts before the zones of the number', async () => {
  const { callId, url } = await calledBeforeTheWindow('+12125550103', { timezone: 'Asia/Kolkata' });
  expect((await api.post(`${url}/call-again`)).status).toBe(200);
  expect((await secondAttempt(callId)).due_at > aMinuteFromNow()).toBe(false);
});
