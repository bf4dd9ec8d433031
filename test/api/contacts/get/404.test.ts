import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aPerson, aTracedCall } from '../support.js';

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
