import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aDeploy, anAgent } from '../support.js';

test("a deployment of another agent is none of this one's", async () => {
  const [one, other] = [await anAgent(), await anAgent()];
  const { deploymentId } = await aDeploy(other.agentId);
  const response = await api.get(`/v1/agents/${one.agentId}/deployments/${deploymentId}`);
  expect(response).toMatchObject({ status: 404, body: { error: 'Deployment not found' } });
});

test('an agent that is not there has no deployment', async () => {
  const { deploymentId } = await aDeploy((await anAgent()).agentId);
  const response = await api.get(`/v1/agents/agt_01990000-0000-7000-8000-000000000000/deployments/${deploymentId}`);
  expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});
