import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { keysNow } from '../support.js';

test.each([
  [{ name: 'x'.repeat(257) }, /^name: /],
  [{ name: 7 }, /^name: /],
  [{ permissions: [] }, /^permissions: /],
  [{ permissions: 'read' }, /^permissions: /],
  [{ permissions: ['write'] }, /^permissions\[0\]: .*read, playground/],
  [{ permissions: ['read', 'read'] }, /^permissions: .*twice/],
  [{ permission: ['read'] }, /^permission: /],
])('%j makes no key, and the answer names what is wrong', async (body, problem) => {
  const before = await keysNow();
  const response = await api.post('/v1/account/keys', body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ error: expect.any(String), errors: [expect.stringMatching(problem)] });
  expect(await keysNow()).toEqual(before);
});

test('a name of 256 characters is taken', async () => {
  expect((await api.post('/v1/account/keys', { name: 'x'.repeat(256) })).status).toBe(201);
});
