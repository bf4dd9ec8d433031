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
