import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aDeploy, aLiveAgent, anAgent, aVersion, goLiveNow, minimal } from '../support.js';

// shows: agents.delete
test('an agent that nothing uses is gone with its versions, their keys and its deployments, live or not', async () => {
  const tts = [{ model: 'openai/tts-1', voice: 'nova', apiKey: 'sk-0123456789abcdef' }];
  const { agentId } = await aLiveAgent({ name: 'x', languages: { english: { prompt: 'Hi', tts } } });
  const other = await anAgent();

  const response = await api.delete(`/v1/agents/${agentId}`);

  expect(response).toMatchObject({ status: 200, body: { message: expect.any(String) } });
  expect((await api.get(`/v1/agents/${agentId}`)).status).toBe(404);
  for (const table of ['agent_versions', 'deployments']) {
    expect(await rowsOf(`select 1 from ${table} where agent_id = $1`, [agentId])).toEqual([]);
  }
  expect(await rowsOf('select 1 from agent_version_secrets')).toEqual([]);
  expect((await api.get(`/v1/agents/${other.agentId}`)).status).toBe(200);
  const entries = await rowsOf('select action, key_id from audit_log where target = $1 order by id desc limit 1', [
    agentId,
  ]);
  expect(entries).toEqual([{ action: 'agent.delete', key_id: here().me.key.id }]);
});

test('a deploy that was accepted before ends without a trace', async () => {
  const { agentId } = await anAgent();
  await aVersion(agentId, { ...minimal, name: 'Second' });
  const { deploymentId } = await aDeploy(agentId);

  expect((await api.delete(`/v1/agents/${agentId}`)).status).toBe(200);
  await goLiveNow(deploymentId);

  expect(await rowsOf('select 1 from deployments where id = $1', [deploymentId])).toEqual([]);
});
