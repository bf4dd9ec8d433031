import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each([
  ['page', '?page=0'],
  ['page', '?page=x'],
  ['perPage', '?perPage=0'],
  ['perPage', '?perPage=101'],
  ['status', '?status=paused'],
  ['status', '?status=running,nothing'],
  ['startDate', '?startDate=2026-01-01'],
  ['endDate', '?endDate=-1'],
  ['endDate', '?endDate=9999999999999999'],
])('%s is refused in %s', async (field, query) => {
  const { status, body } = await api.get(`/v1/batch-calls${query}`);
  expect({ status, body }).toEqual({ status: 400, body: { error: expect.stringContaining(field) } });
});

test.each(['?perPage=1', '?perPage=100', '?page=1', '?startDate=0', `?endDate=8640000000000000`])(
  '%s is fine',
  async (query) => {
    expect((await api.get(`/v1/batch-calls${query}`)).status).toBe(200);
  },
);
