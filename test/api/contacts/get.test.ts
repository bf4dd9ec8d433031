import { describe, expect, test } from 'vitest';
import { anAccount, api } from '../support.js';
import { aPerson, aTracedCall } from './support.js';

describe('200', () => {
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
});

describe('400', () => {
  test('a page that cannot be is refused', async () => {
    const response = await api.get(`/v1/contacts/${aPerson()}?perPage=1000`);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: [expect.stringMatching(/^perPage/)] });
  });
});

describe('404', () => {
  test('a number of which nothing is known, another account’s and no number at all are not found, in the same words', async () => {
    const other = await anAccount();
    const theirs = aPerson();
    await aTracedCall(theirs, { accountId: other.account.id });
    for (const text of [aPerson(), theirs, 'nobody', '+12']) {
      const response = await api.get(`/v1/contacts/${text}`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ error: 'Nothing is known of this number' });
    }
  });
});
