import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { anAgent } from '../support.js';

// shows: errors.agent-404
test("another account's agent is not found, in the words of one that never was", async () => {
  const { agentId, versionId } = await anAgent();
  const { token } = await anAccount();

  const foreign = await api.get(`/v1/agents/${agentId}`, { token });
  const missing = await api.get('/v1/agents/agt_01990000-0000-7000-8000-000000000000', { token });

  expect(foreign).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
  expect(missing.text).toBe(foreign.text);
  expect(await api.get(`/v1/agents/${agentId}?versionId=${versionId}`, { token })).toMatchObject({ status: 404 });
});

test.each(['nonsense', '%00', '..', 'agt_', 'é'])('there is no agent %s', async (id) => {
  const { status, body } = await api.get(`/v1/agents/${encodeURIComponent(decodeURIComponent(id))}`);
  expect([400, 404]).toContain(status);
  expect(body).toEqual({ error: expect.any(String) });
});

test("a version of another agent is none of this one's", async () => {
  const [one, other] = [await anAgent(), await anAgent()];
  const response = await api.get(`/v1/agents/${one.agentId}?versionId=${other.versionId}`);
  expect(response).toMatchObject({ status: 404, body: { error: 'Version not found' } });
});
