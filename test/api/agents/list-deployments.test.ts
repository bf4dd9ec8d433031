import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aDeploy, aLiveAgent, deploymentsNow, goLiveNow } from './support.js';

describe('200', () => {
  // shows: agents.deployments
  test('all are there in the order in which they were accepted, newest first, the first deploy too', async () => {
    const agent = await aLiveAgent();
    const { agentId, versionId } = agent;
    const second = await aDeploy(agentId);
    await goLiveNow(second.deploymentId);
    const third = await aDeploy(agentId);

    const response = await api.get(`/v1/agents/${agentId}/deployments`);

    expect(response).toMatchObject({
      status: 200,
      body: {
        pageInfo: { currentPage: 1, perPage: 20, lastPage: 1, total: 3 },
        data: [
          { deploymentId: third.deploymentId, agentId, versionId, status: 'pending' },
          { deploymentId: second.deploymentId, status: 'live' },
          { region: 'default', status: 'retired', reason: 'superseded' },
        ],
      },
    });
  });

  test('pages are cut as asked', async () => {
    const { agentId } = await aLiveAgent();
    const { deploymentId } = await aDeploy(agentId);
    const newest = await api.get(`/v1/agents/${agentId}/deployments?perPage=1`);
    expect(newest.body).toMatchObject({ pageInfo: { lastPage: 2, total: 2 }, data: [{ deploymentId }] });
    expect(await deploymentsNow(agentId)).toHaveLength(2);
  });
});
