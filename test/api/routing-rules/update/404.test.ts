import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aRule } from '../../support-resources.js';

test('a rule of nobody and one of another account sound the same, and theirs stays as it is', async () => {
  const other = await anAccount();
  const theirs = await aRule({ type: 'inbound', agentId: null }, { token: other.token });
  for (const id of [theirs, 'rule_0']) {
    const response = await api.patch(`/v2/sip/routing-rule/${id}`, { name: 'Mine' });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Routing rule not found' });
  }
  const after = await api.get(`/v2/sip/routing-rule/${theirs}`, { token: other.token });
  expect(after.body).toMatchObject({ name: 'Outbound' });
});
