import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aBatch } from '../../batch-calls/support.js';
import { aLineOf, aLiveAgent } from '../support.js';

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

test('an agent that talks to somebody is not taken away from the call', async () => {
  const { agentId } = await aLiveAgent();
  const { e164, ruleId } = await aLineOf(agentId);
  const made = await api.post('/v2/sip/call', { sipCallTo: '+919876543210', sipCallFrom: e164 });
  const callId = (made.body as { data: { id: string } }).data.id;
  await rowsOf('delete from routing_rules where id = $1', [ruleId]);

  expect(await remove(agentId)).toMatchObject(refused(callId));

  await rowsOf("update calls set status = 'answered' where id = $1", [callId.replace('call_', '')]);
  expect((await remove(agentId)).status).toBe(200);
});
