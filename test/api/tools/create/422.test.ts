import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { toolBody } from '../support.js';

test('an Idempotency-Key is for one content', async () => {
  const headers = { 'idempotency-key': 'tool-2' };
  expect((await api.post('/v1/tools', toolBody(), { headers })).status).toBe(201);
  const response = await api.post('/v1/tools', toolBody(), { headers });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 422,
    body: { error: expect.any(String) },
  });
});
