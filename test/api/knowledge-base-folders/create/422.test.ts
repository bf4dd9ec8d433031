import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('an Idempotency-Key is for one content', async () => {
  const create = (name: string) =>
    api.post('/v1/knowledge-base-folders', { name }, { headers: { 'idempotency-key': 'folder-1' } });
  const first = await create('One');
  expect((await create('One')).body).toEqual(first.body);
  const response = await create('Two');
  expect({ status: response.status, body: response.body }).toEqual({
    status: 422,
    body: { error: expect.any(String) },
  });
});
