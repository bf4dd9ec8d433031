import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aGateway, aRegisteredNumber } from '../../support-resources.js';

test('a gateway is answered bare, as it was when it was made', async () => {
  const gateway = await aGateway('outbound', { auth: { username: 'me', password: 'correct horse' } });
  const response = await api.get(`/v2/sip/outbound-gateways/${gateway.id}`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual(gateway);
  expect(response.text).not.toContain('correct horse');
});

test('a gateway that was made with its number is found here too', async () => {
  const number = await aRegisteredNumber();
  const response = await api.get(`/v2/sip/outbound-gateways/${number.outboundGatewayId}`);
  expect(response.body).toMatchObject({ id: number.outboundGatewayId, numbers: [number.e164] });
});
