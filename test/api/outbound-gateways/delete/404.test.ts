import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aGateway } from '../../support-resources.js';

test('a gateway of nobody, of another account and of the other direction sound the same, and stay', async () => {
  const other = await anAccount();
  const theirs = await aGateway('outbound', {}, { token: other.token });
  const elsewhere = await aGateway('inbound');
  for (const id of [theirs.id, elsewhere.id, 'none']) {
    const response = await api.delete(`/v2/sip/outbound-gateways/${id}`);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Outbound gateway not found' });
  }
  const after = await api.get(`/v2/sip/outbound-gateways/${theirs.id}`, { token: other.token });
  expect(after.body).toEqual(theirs);
  expect((await api.get(`/v2/sip/inbound-gateways/${elsewhere.id}`)).body).toEqual(elsewhere);
});
