import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an Idempotency-Key that made one key does not make another', async () => {
  const headers = { 'idempotency-key': 'one' };
  await api.post('/v1/account/keys', { name: 'One' }, { headers });
  const response = await api.post('/v1/account/keys', { name: 'Two' }, { headers });
  expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
});
