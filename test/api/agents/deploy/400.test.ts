import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, deploymentsNow } from '../support.js';

test.each([
  [{ region: 'moon' }, ['region', 'INVALID_VALUE']],
  [{ region: 7 }, ['region', 'INVALID_TYPE']],
  [{ versionId: 7 }, ['versionId', 'INVALID_TYPE']],
  [{ version: 'ver_x' }, ['version', 'UNRECOGNIZED_KEY']],
])('%j deploys nothing, and the answer names what is wrong', async (body, [path, code]) => {
  const { agentId } = await anAgent();
  const before = await deploymentsNow(agentId);

  const response = await api.post(`/v1/agents/${agentId}/deploy`, body);

  expect(response.status).toBe(400);
  expect(response.body).toEqual({ status: 'error', errors: [{ path, code, message: expect.any(String) }] });
  expect(await deploymentsNow(agentId)).toEqual(before);
});
