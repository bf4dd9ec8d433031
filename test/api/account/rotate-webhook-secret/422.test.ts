import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an Idempotency-Key that was used for something else rotates nothing', async () => {
  const headers = { 'idempotency-key': 'one' };
  await api.post('/v1/account/keys', {}, { headers });
  const before = await api.get('/v1/account/webhook-secret');
  const response = await api.post('/v1/account/webhook-secret/rotate', {}, { headers });
  expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
  expect((await api.get('/v1/account/webhook-secret')).text).toBe(before.text);
});
