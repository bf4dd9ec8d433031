import { expect, test } from 'vitest';
import { api } from '../../support.js';

test.each(['tool_01939a7c-56b1-7cc4-9a0e-2f6d3b8c1e55', 'nonsense'])('%s is no tool of this account', async (id) => {
  const url = `/v1/tools/${id}`;
  const response = await api.delete(url);
  expect({ status: response.status, body: response.body }).toEqual({ status: 404, body: { error: 'Tool not found' } });
});
