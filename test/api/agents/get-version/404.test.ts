import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent } from '../support.js';

test("a version of another agent is none of this one's", async () => {
  const [one, other] = [await anAgent(), await anAgent()];
  const response = await api.get(`/v1/agents/${one.agentId}/versions/${other.versionId}`);
  expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
});

test('an agent that is not there has no version', async () => {
  const { versionId } = await anAgent();
  const response = await api.get(`/v1/agents/agt_01990000-0000-7000-8000-000000000000/versions/${versionId}`);
  expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});
