import { expect, test } from 'vitest';
import { anAccount, api, here } from '../../support.js';

test('a token tells whose it is', async () => {
  const other = await anAccount('Somebody else');

  const mine = await api.get('/v1/account');
  const theirs = await api.get('/v1/account', { token: other.token });

  expect(mine.status).toBe(200);
  expect(mine.body).toEqual({
    accountId: here().me.account.id,
    name: 'Test account',
    limits: { requestsPerSecond: 100_000, requestBurst: 100_000 },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(theirs.body).toMatchObject({ accountId: other.account.id, name: 'Somebody else' });
});
