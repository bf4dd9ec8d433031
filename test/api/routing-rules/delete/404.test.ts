import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aRule } from '../../support-resources.js';

test('a rule of nobody and one of another account sound the same, and theirs stays', async () => {
  const other = await anAccount();
  const theirs = await aRule({ type: 'inbound', agentId: null }, { token: other.token });
  for (const id of [theirs, 'rule_0']) {
    const response = await api.delete(`/v2/sip/routing-rule/${id}`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Routing rule not found' });
  }
  expect((await api.get(`/v2/sip/routing-rule/${theirs}`, { token: other.token })).status).toBe(200);
});

test('a rule is deleted once', async () => {
  const id = await aRule();
  const statuses = (await Promise.all(Array.from({ length: 4 }, () => api.delete(`/v2/sip/routing-rule/${id}`)))).map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([200, 404, 404, 404]);
});
