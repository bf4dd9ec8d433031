import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { url } from '../support.js';

test('numbers come as JSON or in a form, not as bare text', async () => {
  const response = await api.post(url, '+919877012345', { headers: { 'content-type': 'text/plain' } });
  expect(response.status).toBe(415);
  expect(response.body).toEqual({ error: expect.any(String) });
});
