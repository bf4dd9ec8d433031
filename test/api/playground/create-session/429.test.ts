import { expect, test } from 'vitest';
import { anAgent } from '../../support-resources.js';
import { anAccount } from '../../support.js';
import { startSession } from '../support.js';

test('60 sessions a minute are enough for an account; others are not held up', async () => {
  const agentId = await anAgent();
  const statuses = [];
  for (let request = 0; request < 61; request += 1) statuses.push(await startSession(agentId));

  expect(statuses.slice(0, 60).filter(({ status }) => status !== 201)).toEqual([]);
  expect(statuses[60]).toMatchObject({ status: 429, body: { error: expect.any(String) } });
  expect(Number(statuses[60]?.headers['retry-after'])).toBeGreaterThan(0);
  const { token, account } = await anAccount();
  expect((await startSession(await anAgent({ accountId: account.id }), {}, { token })).status).toBe(201);
});
