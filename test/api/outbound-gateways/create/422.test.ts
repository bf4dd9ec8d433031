import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';

const create = (name: string) =>
  api.post(
    '/v2/sip/outbound-gateways',
    { name, address: 'sip.carrier.example' },
    { headers: { 'idempotency-key': 'once' } },
  );

test('a key that was used with another gateway is refused, and makes none', async () => {
  await create('First');
  const response = await create('Second');
  expect(response.status).toBe(422);
  expect(response.body).toEqual({ message: expect.stringContaining('another request') });
  expect(await rowsOf('select name from gateways')).toEqual([{ name: 'First' }]);
});
