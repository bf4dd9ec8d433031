import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent } from '../support.js';

test.each(['page=0', 'perPage=0', 'perPage=101', 'page=x'])('%s is out of range', async (query) => {
  const { agentId } = await anAgent();
  const response = await api.get(`/v1/agents/${agentId}/deployments?${query}`);
  expect(response).toMatchObject({ status: 400, body: { error: expect.any(String) } });
});
