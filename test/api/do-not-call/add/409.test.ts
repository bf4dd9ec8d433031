import { expect, test } from 'vitest';
import { takeIdempotencyKey } from '../../../../db/queries/accounts/idempotency.js';
import { api, here } from '../../support.js';
import { aNumber } from '../../support-resources.js';
import { url } from '../support.js';

test('while the first request with an Idempotency-Key runs, a second is told to wait', async () => {
  const key = { keyId: here().me.key.id, idempotencyKey: 'list-1' };
  const response = await here()
    .database.db.transaction()
    .execute(async (tx) => {
      await takeIdempotencyKey(tx, key);
      return api.post(url, { phoneNumbers: [aNumber()] }, { headers: { 'idempotency-key': key.idempotencyKey } });
    });
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ error: expect.any(String) });
});
