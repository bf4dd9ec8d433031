import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent } from '../support.js';

test('an agent that is not there cannot be deployed', async () => {
  const response = await api.post('/v1/agents/agt_01990000-0000-7000-8000-000000000000/deploy');
  expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});

test("another agent's version cannot be deployed as this one's", async () => {
  const [one, other] = [await anAgent(), await anAgent()];
  const response = await api.post(`/v1/agents/${one.agentId}/deploy`, { versionId: other.versionId });
  expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
});
