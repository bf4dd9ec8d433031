import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';

test('a key that was used with another rule is refused, and makes none', async () => {
  const headers = { 'idempotency-key': 'once' };
  await api.post('/v2/sip/routing-rule', { name: 'First', type: 'inbound' }, { headers });
  const response = await api.post('/v2/sip/routing-rule', { name: 'Second', type: 'inbound' }, { headers });
  expect(response.status).toBe(422);
  expect(response.body).toEqual({ message: expect.stringContaining('another request') });
  expect(await rowsOf('select name from routing_rules')).toEqual([{ name: 'First' }]);
});
