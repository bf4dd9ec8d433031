import { describe, expect, test } from 'vitest';
import { failDeployment } from '../../../db/queries/agents/deploy.js';
import { api, here } from '../support.js';
import { aDeploy, anAgent, goLiveNow } from './support.js';

describe('200', () => {
  const get = (agentId: string, deploymentId: string) => api.get(`/v1/agents/${agentId}/deployments/${deploymentId}`);

  // shows: agents.deployments
  test('a deployment can be followed from pending to live, and has a reason only if there is something to say', async () => {
    const { agentId, versionId } = await anAgent();
    const { deploymentId } = await aDeploy(agentId);

    const pending = await get(agentId, deploymentId);
    await goLiveNow(deploymentId);
    const live = await get(agentId, deploymentId);

    expect(pending.status).toBe(200);
    expect(pending.body).toEqual({
      deploymentId,
      agentId,
      versionId,
      region: 'default',
      status: 'pending',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(live.body).toEqual({ ...(pending.body as object), status: 'live', updatedAt: expect.any(String) });
  });

  test('one that cannot go live says why', async () => {
    const { agentId } = await anAgent();
    const { deploymentId } = await aDeploy(agentId);
    const { database, me } = here();

    await failDeployment(database.db, me.account.id, deploymentId, 'No agent worker serves the region default.');

    expect(await get(agentId, deploymentId)).toMatchObject({
      body: { status: 'failed', reason: 'No agent worker serves the region default.' },
    });
  });
});

describe('404', () => {
  test("a deployment of another agent is none of this one's", async () => {
    const [one, other] = [await anAgent(), await anAgent()];
    const { deploymentId } = await aDeploy(other.agentId);
    const response = await api.get(`/v1/agents/${one.agentId}/deployments/${deploymentId}`);
    expect(response).toMatchObject({ status: 404, body: { error: 'Deployment not found' } });
  });
});
