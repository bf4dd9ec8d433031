import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aCallThatIs } from '../support.js';

const transfer = (callId: string, transferTo: string) => api.post('/v2/sip/call/transfer', { callId, transferTo });

// shows: calls.transfer
test.each([
  '+912250000009',
  'sip:desk@pbx.example.com:5060',
  'sips:+912250000009@pbx.example.com',
  'tel:+912250000009',
])('an answered call is ordered to be transferred to %s, and says so while its status stays', async (transferTo) => {
  const { id, uuid } = await aCallThatIs('answered');
  const response = await transfer(id, transferTo);
  expect(response.status).toBe(200);
  const { data } = response.body as { data: { status: string; timelog: { status: string }[] } };
  expect(data.status).toBe('answered');
  expect(data.timelog.at(-1)?.status).toBe('transfer-initiated');
  expect(await rowsOf('select number, transfer_to, status from call_transfers where call_id = $1', [uuid])).toEqual([
    { number: 1, transfer_to: transferTo, status: 'requested' },
  ]);
  const [entry] = await rowsOf('select action, details from audit_log where target = $1 order by id desc', [id]);
  expect(entry).toEqual({ action: 'call.transfer', details: { transferTo } });
});

// shows: calls.transfer
test('GET tells how it went', async () => {
  const { id, uuid } = await aCallThatIs('answered');
  await transfer(id, '+912250000009');
  await rowsOf(`update call_transfers set status = 'failed', ended_at = now() where call_id = $1`, [uuid]);
  const { body } = await api.get(`/v2/sip/call/${id}`);
  const { data } = body as { data: { status: string; timelog: { status: string }[] } };
  expect(data.timelog.map(({ status }) => status).slice(-2)).toEqual(['transfer-initiated', 'transfer-failed']);
  expect(data.status).toBe('answered');
  expect((await transfer(id, '+912250000009')).status).toBe(200);
});
