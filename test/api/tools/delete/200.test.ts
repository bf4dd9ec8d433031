import { expect, test } from 'vitest';
import { anAgent, minimal } from '../../agents/support.js';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aTool } from '../support.js';

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
