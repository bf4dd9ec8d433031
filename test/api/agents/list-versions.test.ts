import { describe, expect, test } from 'vitest';
import { api } from '../support.js';
import { aDeploy, aLiveAgent, anAgent, aVersion, goLiveNow } from './support.js';

describe('200', () => {
  interface Page {
    readonly pageInfo: object;
    readonly data: { versionId: string; number: number; isDeployed: boolean }[];
  }

  const list = async (agentId: string, query = '') => {
    const response = await api.get(`/v1/agents/${agentId}/versions${query}`);
    expect(response.status).toBe(200);
    return response.body as Page;
  };

  // shows: versions.every-update, agents.post.first-name, agents.versions
  test('every create and update is there, newest first, and the one that is live is marked', async () => {
    const { agentId, versionId } = await aLiveAgent();
    const second = await aVersion(agentId, { versionName: 'Politer' });
    const third = await aVersion(agentId);

    const { data, pageInfo } = await list(agentId);

    const common = { agentId, createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) };
    expect(data).toEqual([
      { ...common, versionId: third, versionName: 'Updated via API', number: 3, isDeployed: false },
      { ...common, versionId: second, versionName: 'Politer', number: 2, isDeployed: false },
      { ...common, versionId, versionName: 'Created via API', number: 1, isDeployed: true },
    ]);
    expect(pageInfo).toEqual({ currentPage: 1, perPage: 20, lastPage: 1, total: 3 });
  });

  test('what is live in another region alone is deployed too, until it is replaced there', async () => {
    const { agentId, versionId } = await aLiveAgent();
    const second = await aVersion(agentId);
    await goLiveNow((await aDeploy(agentId, { versionId: second })).deploymentId);

    const { data } = await list(agentId);

    expect(data.map((version) => [version.versionId, version.isDeployed])).toEqual([
      [second, true],
      [versionId, false],
    ]);
  });

  test('pages are cut as asked, and one past the end is empty', async () => {
    const { agentId } = await anAgent();
    await aVersion(agentId);
    await aVersion(agentId);

    const [first, second, past] = [
      await list(agentId, '?perPage=2'),
      await list(agentId, '?perPage=2&page=2'),
      await list(agentId, '?perPage=2&page=3'),
    ];

    expect([first, second, past].map(({ data }) => data.map(({ number }) => number))).toEqual([[3, 2], [1], []]);
    expect(past.pageInfo).toEqual({ currentPage: 3, perPage: 2, lastPage: 2, total: 3 });
  });
});
