import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('of requests with one key at the same time, one is done and the others are told so', async () => {
  const headers = { 'idempotency-key': 'at the same time' };

  const answers = await Promise.all(Array.from({ length: 4 }, () => api.post('/v1/account/keys', {}, { headers })));

  const done = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(done.length + refused.length).toBe(4);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { body } of refused) expect(body).toEqual({ error: expect.any(String) });
});
