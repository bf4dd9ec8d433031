import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each([
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=', 'page'],
  ['page=one', 'page'],
  ['page=99999999999999999999', 'page'],
  ['page=1&page=2', 'page'],
  ['perPage=0', 'perPage'],
  ['perPage=101', 'perPage'],
  ['search=%00', 'search'],
])('?%s is out of range and is not clamped', async (query, path) => {
  const response = await api.get(`/v2/sip/phone-numbers?${query}`);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: [expect.stringMatching(`^${path}: must`)] });
});

test.each(['perPage=1', 'perPage=100', 'page=1000000000'])('?%s is in range', async (query) => {
  expect((await api.get(`/v2/sip/phone-numbers?${query}`)).status).toBe(200);
});
