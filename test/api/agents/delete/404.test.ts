import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent } from '../support.js';

test('an agent can be deleted once', async () => {
  const { agentId } = await anAgent();
  await api.delete(`/v1/agents/${agentId}`);
  expect(await api.delete(`/v1/agents/${agentId}`)).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
});
