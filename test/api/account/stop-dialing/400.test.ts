import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an order that is not understood stops nothing', async () => {
  const response = await api.post('/v1/account/stop-dialing', { hangup: true });
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: ['hangup: is not a known field'] });
  expect((await api.get('/v1/account/guardrails')).body).toMatchObject({ dialingStopped: false });
});
