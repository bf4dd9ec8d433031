import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('a body of over 1 MB is refused', async () => {
  const response = await api.post('/v1/knowledge-base-folders', { name: 'a'.repeat(1_048_576) });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 413,
    body: { error: expect.any(String) },
  });
});
