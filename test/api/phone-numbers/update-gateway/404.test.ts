import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aRegisteredNumber } from '../../support-resources.js';

test('a gateway of nobody and one of another account sound the same, and theirs stays as it is', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  for (const id of [theirs.outboundGatewayId, theirs.inboundGatewayId, 'gwo_0', theirs.phoneNumberId]) {
    const response = await api.patch(`/v2/sip/phone-numbers/gateways/${id}`, { name: 'Mine' });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Gateway not found' });
  }
  const after = await api.get(`/v2/sip/phone-numbers/${theirs.e164}`, { token: other.token });
  expect(after.body).toMatchObject({ outbound: { name: 'Reminders' } });
});
