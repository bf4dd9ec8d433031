import { expect, test } from 'vitest';
import { anAgent, appWithoutTemporal, appWithWorker, minimal } from '../../agents/support.js';
import { api } from '../../support.js';
import { aTool } from '../support.js';

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
