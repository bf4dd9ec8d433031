import { describe, expect, test } from 'vitest';
import { aBatch } from '../batch-calls/support.js';
import { rowsOf } from '../support-resources.js';
import { api, settings } from '../support.js';
import { aDeploy, agentNow, aLineOf, aLiveAgent, anAgent, deploymentsNow, goLiveNow } from './support.js';

settings.OUTDIAL_REGIONS = 'default,eu';

describe('200', () => {
  const undeploy = (agentId: string) => api.post(`/v1/agents/${agentId}/undeploy`);

  // shows: agents.undeploy
  test('the agent is inactive with the answer, and what was live is retired, in every region', async () => {
    const { agentId } = await aLiveAgent();
    await goLiveNow((await aDeploy(agentId, { region: 'eu' })).deploymentId);

    const response = await undeploy(agentId);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      agentId,
      name: expect.any(String),
      status: 'inactive',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await deploymentsNow(agentId)).toMatchObject([
      { region: 'eu', status: 'retired', reason: 'undeployed' },
      { region: 'default', status: 'retired', reason: 'undeployed' },
    ]);
    expect(
      await rowsOf("select 1 from audit_log where target = $1 and action = 'agent.undeploy'", [agentId]),
    ).toHaveLength(1);
  });

  test('a deploy that was accepted before does not bring it back, one that is accepted after does', async () => {
    const { agentId } = await aLiveAgent();
    const before = await aDeploy(agentId);
    await undeploy(agentId);
    const after = await aDeploy(agentId);

    await goLiveNow(before.deploymentId);
    expect((await agentNow(agentId)).status).toBe('inactive');

    await goLiveNow(after.deploymentId);
    expect(await agentNow(agentId)).toMatchObject({ status: 'active', deploymentId: after.deploymentId });
    expect(await deploymentsNow(agentId)).toMatchObject([
      { status: 'live' },
      { status: 'retired', reason: 'superseded' },
      { status: 'retired', reason: 'undeployed' },
    ]);
  });

  // shows: agents.undeploy
  test('new calls are refused, and the call in progress is left alone', async () => {
    const { agentId } = await aLiveAgent();
    const { e164 } = await aLineOf(agentId);
    const call = (to: string) => api.post('/v2/sip/call', { sipCallTo: to, sipCallFrom: e164 });
    const made = await call('+919876543210');
    const id = (made.body as { data: { id: string } }).data.id.replace('call_', '');
    await rowsOf("update calls set status = 'in-progress' where id = $1", [id]);

    await undeploy(agentId);

    expect((await call('+919876543211')).status).toBe(400);
    expect(await rowsOf('select status from calls where id = $1', [id])).toEqual([{ status: 'in-progress' }]);
  });

  test('a batch call that runs says why it stands still', async () => {
    const { agentId } = await aLiveAgent();
    const { batchId } = await aBatch({ status: 'running' });
    await rowsOf('update batches set agent_id = $2 where id = $1', [batchId, agentId]);

    await undeploy(agentId);

    expect(await api.get(`/v1/batch-calls/${batchId}`)).toMatchObject({
      body: { status: 'running', paused: true, pausedReason: 'agent_inactive' },
    });
  });

  test('an agent that is not deployed stays as it is, and nothing is written down', async () => {
    const { agentId } = await anAgent();
    await undeploy(agentId);
    const [before, audited] = [
      await agentNow(agentId),
      await rowsOf('select 1 from audit_log where target = $1', [agentId]),
    ];

    expect(await undeploy(agentId)).toMatchObject({ status: 200, body: { status: 'inactive' } });

    expect(await agentNow(agentId)).toEqual(before);
    expect(await rowsOf('select 1 from audit_log where target = $1', [agentId])).toEqual(audited);
  });
});

describe('400', () => {
  test.each([['{"region":"eu"}'], ['[]'], ['{']])('%s is no body of it, and nothing is undeployed', async (body) => {
    const { agentId } = await aLiveAgent();
    const response = await api.post(`/v1/agents/${agentId}/undeploy`, body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ status: 'error', errors: [{ message: expect.any(String) }] });
    expect((await agentNow(agentId)).status).toBe('active');
  });
});
