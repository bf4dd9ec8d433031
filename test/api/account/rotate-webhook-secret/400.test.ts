import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['{"secret":"whsec_mine"}', '[]', '{'])('%s is no body of it, and nothing is rotated', async (body) => {
  const before = await api.get('/v1/account/webhook-secret');
  const response = await api.post('/v1/account/webhook-secret/rotate', body);
  expect(response).toMatchObject({ status: 400, body: { error: expect.any(String), errors: [expect.any(String)] } });
  expect((await api.get('/v1/account/webhook-secret')).text).toBe(before.text);
});
