import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aPerson, aTracedCall } from '../support.js';

// shows: contacts.get
test('tells every call with attempts and transcript, its batches, rejected rows and the do-not-call entry', async () => {
  const number = aPerson();
  const first = await aTracedCall(number);
  const second = await aTracedCall(number);
  await aTracedCall(aPerson());
  await api.post('/v1/do-not-call', { phoneNumbers: [number], reason: 'Asked' });

  const response = await api.get(`/v1/contacts/${number}`);

  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({
    phoneNumber: number,
    doNotCall: { phoneNumber: number, reason: 'Asked' },
    pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 2 },
    batches: [second, first].map(({ batchId }) => ({ batchId, batchName: 'Batch', status: 'running', calls: 1 })),
    data: [second, first].map(({ callId, batchId }) => ({
      ...{ id: `call_${callId}`, batchId, to: number, metadata: { name: 'Ada Abbott' }, summary: 'Ada agreed' },
      attempts: [{ number: 1 }],
      transcript: [{ text: 'Ada here' }],
    })),
  });
  const { rejectedRows } = response.body as { rejectedRows: { batchId: string }[] };
  expect(rejectedRows.map(({ batchId }) => batchId).sort()).toEqual([first.batchId, second.batchId].sort());
});

test('calls come page by page', async () => {
  const number = aPerson();
  await aTracedCall(number);
  const last = await aTracedCall(number);
  const page = (await api.get(`/v1/contacts/${number}?perPage=1`)).body;
  expect(page).toMatchObject({ pageInfo: { total: 2, lastPage: 2 }, data: [{ id: `call_${last.callId}` }] });
  expect((await api.get(`/v1/contacts/${number}?page=3&perPage=1`)).body).toMatchObject({ data: [] });
});

test('a number of which only a do-not-call entry is known is known', async () => {
  const number = aPerson();
  await api.post('/v1/do-not-call', { phoneNumbers: [number] });
  expect((await api.get(`/v1/contacts/${encodeURIComponent(number)}`)).body).toMatchObject({
    ...{ phoneNumber: number, batches: [], rejectedRows: [], data: [] },
    doNotCall: { phoneNumber: number },
  });
});
