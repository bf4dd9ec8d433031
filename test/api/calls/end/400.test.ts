import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each([
  [{}, 'callId'],
  [{ callId: 7 }, 'callId'],
  [{ callId: 'call_x', now: true }, 'now'],
])('%j is refused, naming the field', async (body, field) => {
  const response = await api.post('/v2/sip/call/end', body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: [expect.stringMatching(new RegExp(`^${field}: `))] });
});
