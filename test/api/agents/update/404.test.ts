import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { anAgent, minimal } from '../support.js';

// shows: agents.update.404
test("another account's agent is not found and not changed, whether the config is valid or not", async () => {
  const { agentId, versionId } = await anAgent();
  const { token } = await anAccount();

  for (const body of [{ ...minimal, name: 'Taken over' }, {}]) {
    const response = await api.put(`/v1/agents/${agentId}`, body, { token });
    expect(response).toMatchObject({ status: 404, body: { error: 'Agent not found' } });
  }
  expect(await api.get(`/v1/agents/${agentId}`)).toMatchObject({ body: { name: 'Reminder', versionId } });
});
