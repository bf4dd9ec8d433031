import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each([
  ['page=0', 'page'],
  ['perPage=101', 'perPage'],
  ['status=settled', 'status'],
  ['type=sideways', 'type'],
  ['startDate=yesterday', 'startDate'],
  ['endDate=-1', 'endDate'],
])('%s is refused, naming the parameter', async (query, parameter) => {
  const response = await api.get(`/v2/sip/call?${query}`);
  expect(response.status).toBe(400);
  expect((response.body as { errors: string[] }).errors[0]).toMatch(new RegExp(`^${parameter}`));
});
