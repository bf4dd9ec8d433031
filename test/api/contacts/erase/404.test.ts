import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aPerson, aTracedCall } from '../support.js';

test('what is not known, and what is another account’s, is not found, and stays', async () => {
  const other = await anAccount();
  const theirs = aPerson();
  const { callId } = await aTracedCall(theirs, { accountId: other.account.id });
  for (const text of [aPerson(), theirs, 'nobody']) {
    const response = await api.delete(`/v1/contacts/${text}`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ error: 'Nothing is known of this number' });
  }
  expect(await rowsOf('select to_number from calls where id = $1', [callId])).toEqual([{ to_number: theirs }]);
});

test('whoever is erased is not found again', async () => {
  const number = aPerson();
  await aTracedCall(number);
  expect((await api.delete(`/v1/contacts/${number}`)).status).toBe(200);
  expect((await api.delete(`/v1/contacts/${number}`)).status).toBe(404);
  expect((await api.get(`/v1/contacts/${number}`)).status).toBe(404);
});
