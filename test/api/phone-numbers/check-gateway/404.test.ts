import { expect, test } from 'vitest';
import { anAccount, anotherApp, api } from '../../support.js';
import { aRegisteredNumber } from '../../support-resources.js';

test('a gateway of nobody and one of another account sound the same, and nothing is sent', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  const app = await anotherApp({ telephony: { checkGateway: () => Promise.reject(new Error('was asked')) } });
  for (const id of [theirs.outboundGatewayId, 'gwo_0']) {
    const response = await api.post(`/v2/sip/phone-numbers/gateways/${id}/check`, undefined, { app });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ message: 'Gateway not found' });
  }
});
