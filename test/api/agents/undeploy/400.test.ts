import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { agentNow, aLiveAgent } from '../support.js';

test.each([['{"region":"eu"}'], ['[]'], ['{']])('%s is no body of it, and nothing is undeployed', async (body) => {
  const { agentId } = await aLiveAgent();
  const response = await api.post(`/v1/agents/${agentId}/undeploy`, body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ status: 'error', errors: [{ message: expect.any(String) }] });
  expect((await agentNow(agentId)).status).toBe('active');
});
