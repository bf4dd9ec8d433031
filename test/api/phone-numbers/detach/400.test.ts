import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each([
  [undefined, ['phoneNumber: is required']],
  [{ phoneNumber: null }, ['phoneNumber: is required']],
  [{ phoneNumber: '9198' }, [expect.stringMatching(/^phoneNumber: must start with \+/)]],
  [{ phoneNumber: '+919877012345', all: true }, ['all: is not a known field']],
])('%j is refused', async (body, errors) => {
  const response = await api.post('/v2/sip/phone-numbers/detach', body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors });
});
