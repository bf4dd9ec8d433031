import { describe, expect, test } from 'vitest';
import { aBatch } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';
import { aDeploy, aLineOf, aLiveAgent, anAgent, aVersion, goLiveNow, minimal } from './support.js';

describe('200', () => {
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
});

describe('404', () => {
  test('an agent can be deleted once', async () => {
    const { agentId } = await anAgent();
    await api.delete(`/v1/agents/${agentId}`);
    expect(await api.delete(`/v1/agents/${agentId}`)).toMatchObject({
      status: 404,
      body: { error: 'Agent not found' },
    });
  });
});

describe('409', () => {
  const remove = (agentId: string) => api.delete(`/v1/agents/${agentId}`);
  const refused = (named: string) => ({ status: 409, body: { error: expect.stringContaining(named) } });

  // shows: agents.delete.rule
  test('an agent that a routing rule uses stays, and the answer names the rule', async () => {
    const { agentId } = await aLiveAgent();
    const { ruleId } = await aLineOf(agentId);

    expect(await remove(agentId)).toMatchObject(refused(ruleId));
    expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ status: 200, body: { status: 'active' } });

    await rowsOf('delete from routing_rules where id = $1', [ruleId]);
    expect((await remove(agentId)).status).toBe(200);
  });

  // shows: agents.delete.batch
  test.each(['parsing', 'scheduled', 'running', 'cancelling'] as const)(
    'an agent that a batch call at %s uses stays, until that is finished',
    async (status) => {
      const { agentId } = await aLiveAgent();
      const { batchId } = await aBatch({ status });
      await rowsOf('update batches set agent_id = $2 where id = $1', [batchId, agentId]);

      expect(await remove(agentId)).toMatchObject(refused(batchId));

      await rowsOf("update batches set status = 'completed', completed_at = now() where id = $1", [batchId]);
      expect((await remove(agentId)).status).toBe(200);
    },
  );

  test('an agent that is talking is not taken away from the call', async () => {
    const { agentId } = await aLiveAgent();
    const { e164, ruleId } = await aLineOf(agentId);
    const made = await api.post('/v2/sip/call', { sipCallTo: '+919876543210', sipCallFrom: e164 });
    const callId = (made.body as { data: { id: string } }).data.id;
    await rowsOf('delete from routing_rules where id = $1', [ruleId]);

    expect(await remove(agentId)).toMatchObject(refused(callId));

    await rowsOf("update calls set status = 'answered' where id = $1", [callId.replace('call_', '')]);
    expect((await remove(agentId)).status).toBe(200);
  });
});
