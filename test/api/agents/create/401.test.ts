import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { minimal } from '../support.js';

test.each([null, '', 'not a token'])('the token %j creates nothing', async (token) => {
  const response = await api.post('/v1/agents', minimal, { token });
  expect(response).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  expect((await api.get('/v1/agents')).body).toMatchObject({ data: [] });
});
