import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { webhookBody } from '../support.js';

test('a key that was used for another webhook is refused; for the same one it makes none anew', async () => {
  const headers = { 'idempotency-key': 'one-hook' };
  const first = await api.post('/v2/sip/webhooks', webhookBody(), { headers });
  expect((await api.post('/v2/sip/webhooks', webhookBody(), { headers })).body).toEqual(first.body);
  const other = await api.post('/v2/sip/webhooks', webhookBody({ events: ['call-missed'] }), { headers });
  expect(other.status).toBe(422);
});
