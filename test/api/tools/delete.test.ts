import { describe, expect, test } from 'vitest';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from '../agents/support.js';
import { rowsOf } from '../support-resources.js';
import { api } from '../support.js';
import { aTool } from './support.js';

describe('200', () => {
  // shows: tools.delete
  test('a deleted tool is gone, and its name is free', async () => {
    const { toolId, name } = await aTool();
    const response = await api.delete(`/v1/tools/${toolId}`);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 200,
      body: { message: 'The tool has been deleted' },
    });
    expect((await api.get(`/v1/tools/${toolId}`)).status).toBe(404);
    expect((await aTool({ name })).toolId).not.toBe(toolId);
  });

  test('a tool that only an earlier version names, which is not deployed, can be deleted', async () => {
    const { toolId } = await aTool();
    const { agentId } = await anAgent({ ...minimal, tools: [toolId] });
    // The first deploy of the agent is still pending: it names the tool as well.
    expect((await api.delete(`/v1/tools/${toolId}`)).status).toBe(409);
    await api.put(`/v1/agents/${agentId}`, minimal);
    await rowsOf(`update deployments set status = 'failed', reason = 'x' where agent_id = $1`, [agentId]);
    expect((await api.delete(`/v1/tools/${toolId}`)).status).toBe(200);
  });
});

describe('409', () => {
  const remove = async (toolId: string) => {
    const { status, body } = await api.delete(`/v1/tools/${toolId}`);
    return { status, body };
  };

  const inUse = { status: 409, body: { error: 'The tool is in use by these agents: Reminder' } };

  // shows: tools.delete.used
  test('a tool that the latest version of an agent names stays', async () => {
    const { toolId } = await aTool();
    const { agentId } = await anAgent();
    await api.put(`/v1/agents/${agentId}`, { ...minimal, tools: [toolId] });
    expect(await remove(toolId)).toEqual(inUse);
  });

  // shows: tools.delete.used
  test('a tool that the deployed version names stays, also when the latest does not', async () => {
    const { toolId } = await aTool();
    const { agentId } = await anAgent({ ...minimal, tools: [toolId] }, { app: await appWithWorker() });
    await api.put(`/v1/agents/${agentId}`, minimal);
    expect(await remove(toolId)).toEqual(inUse);
  });

  test('a tool is not deleted from under an agent that is being created: one of the two is refused', async () => {
    const app = await appWithoutTemporal();
    for (let round = 0; round < 8; round += 1) {
      const { toolId } = await aTool();
      const [deleted, created] = await Promise.all([
        api.delete(`/v1/tools/${toolId}`),
        api.post('/v1/agents', { ...minimal, tools: [toolId] }, { app }),
      ]);
      expect([deleted.status, created.status].sort().join()).toMatch(/^(200,400|201,409)$/);
      if (created.status === 400) {
        expect(created.body).toMatchObject({ errors: [{ path: 'tools[0]', code: 'UNKNOWN_TOOL' }] });
      }
    }
  });
});
