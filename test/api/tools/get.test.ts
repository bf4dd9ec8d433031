import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aTool } from './support.js';

describe('200', () => {
  // shows: tools.create
  test('a tool is answered as it was created, its headers masked', async () => {
    const tool = await aTool({ headers: { 'X-Key': 'something-long' } });
    const response = await api.get(`/v1/tools/${tool.toolId}`);
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: tool });
    expect(tool.headers).toEqual({ 'X-Key': '••••long' });
  });
});

describe('404', () => {
  test.each(['tool_01939a7c-56b1-7cc4-9a0e-2f6d3b8c1e55', 'nonsense'])('%s is no tool of this account', async (id) => {
    const url = `/v1/tools/${id}`;
    const response = await api.get(url);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 404,
      body: { error: 'Tool not found' },
    });
  });
});
