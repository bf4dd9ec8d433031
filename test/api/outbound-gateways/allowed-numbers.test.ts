import { expect, test } from 'vitest';
import { api } from '../support.js';
import { aCallingNumber, aNumber } from '../support-resources.js';

test('a call to a callee whom the gateway does not allow is refused before it is stored', async () => {
  const number = await aCallingNumber();
  const gateway = `/v2/sip/outbound-gateways/${number.outboundGatewayId}`;
  await api.patch(gateway, { allowedNumbers: ['+44*'] });
  const call = { sipCallFrom: number.e164, sipCallTo: aNumber() };
  const refused = await api.post('/v2/sip/call', call);
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({ message: expect.stringContaining('gateway does not allow') });

  await api.patch(gateway, { allowedNumbers: null });
  expect((await api.post('/v2/sip/call', call)).status).toBe(201);
});
