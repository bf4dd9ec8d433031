import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { anAgent, deploymentsNow } from '../support.js';

test('of requests with one key at the same time, one deploys', async () => {
  const { agentId } = await anAgent();
  const before = await deploymentsNow(agentId);
  const headers = { 'idempotency-key': 'at the same time' };

  const answers = await Promise.all(
    Array.from({ length: 4 }, () => api.post(`/v1/agents/${agentId}/deploy`, {}, { headers })),
  );

  expect(answers.map(({ status }) => status).filter((status) => status !== 202 && status !== 409)).toEqual([]);
  for (const { body } of answers.filter(({ status }) => status === 409)) {
    expect(body).toEqual({ error: expect.any(String) });
  }
  expect(await deploymentsNow(agentId)).toHaveLength(before.length + 1);
});
