import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aGateway, aNumber } from '../../support-resources.js';

test('a number that comes in elsewhere cannot be taken, wherever that is, and nothing is changed', async () => {
  const [own, foreign] = [aNumber(), aNumber()];
  const gateway = await aGateway('inbound');
  await aGateway('inbound', { numbers: [own] });
  await aGateway('inbound', { numbers: [foreign] }, { token: (await anAccount()).token });

  for (const number of [own, foreign]) {
    const response = await api.patch(`/v2/sip/inbound-gateways/${gateway.id}`, { name: 'X', numbers: [number] });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: `These numbers already have an inbound gateway: ${number}` });
  }
  expect((await api.get(`/v2/sip/inbound-gateways/${gateway.id}`)).body).toEqual(gateway);
});

test('of gateways that take one number at the same time exactly one gets it', async () => {
  const number = aNumber();
  const gateways = await Promise.all(Array.from({ length: 5 }, () => aGateway('inbound')));
  const responses = await Promise.all(
    gateways.map(({ id }) => api.patch(`/v2/sip/inbound-gateways/${id}`, { numbers: [number] })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});
