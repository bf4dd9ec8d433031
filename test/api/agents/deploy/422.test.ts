import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, aVersion, deploymentsNow } from '../support.js';

test('a key that deployed one version does not deploy another', async () => {
  const { agentId, versionId } = await anAgent();
  await aVersion(agentId);
  const headers = { 'idempotency-key': 'one' };
  await api.post(`/v1/agents/${agentId}/deploy`, { versionId }, { headers });
  const before = await deploymentsNow(agentId);

  const response = await api.post(`/v1/agents/${agentId}/deploy`, {}, { headers });

  expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
  expect(await deploymentsNow(agentId)).toEqual(before);
});
