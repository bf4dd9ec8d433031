import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';

test("another account's key is not found, in the words of one that never was, and goes on working", async () => {
  const { key, token } = await anAccount();
  const theirs = await api.delete(`/v1/account/keys/${key.id}`);
  const nobodys = await api.delete('/v1/account/keys/key_01990000-0000-7000-8000-000000000000');
  expect(theirs).toMatchObject({ status: 404, body: { error: 'Key not found' } });
  expect(nobodys.text).toBe(theirs.text);
  expect((await api.get('/v1/account', { token })).status).toBe(200);
});
