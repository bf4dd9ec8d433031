import { expect, test } from 'vitest';
import { api } from '../../support.js';

test('a form is not how a folder is created', async () => {
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const response = await api.post('/v1/knowledge-base-folders', '--x--', { headers });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 415,
    body: { error: expect.any(String) },
  });
});
