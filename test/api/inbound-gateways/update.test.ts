import { describe, expect, test } from 'vitest';
import { aGateway, aNumber, aRegisteredNumber } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  const patch = async (id: string, body: object) => {
    const response = await api.patch(`/v2/sip/inbound-gateways/${id}`, body);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.body).toEqual((await api.get(`/v2/sip/inbound-gateways/${id}`)).body);
    return response.body as Record<string, unknown>;
  };

  // shows: gateway.inbound
  test('what is sent is changed, what is not stays, and the answer is the bare gateway', async () => {
    const gateway = await aGateway('inbound', { tags: ['kept'], auth: { username: 'me', password: 'correct horse' } });
    const change = {
      name: 'Changed',
      allowedAddresses: ['198.51.100.7'],
      metadata: { a: 1 },
      mediaEncryption: 'enable',
    };
    expect(await patch(gateway.id, change)).toEqual({ ...gateway, ...change, updatedAt: expect.any(String) });
  });

  test('null clears, also credentials', async () => {
    const gateway = await aGateway('inbound');
    await patch(gateway.id, {
      auth: { username: 'me', password: 'x' },
      tags: ['a'],
      transport: 'udp',
      enableDtmf: true,
    });
    expect(await patch(gateway.id, { auth: null, tags: null, transport: null, enableDtmf: null })).toEqual({
      ...gateway,
      updatedAt: expect.any(String),
    });
  });

  test('numbers replace the list: new ones are registered, the others stay on the account without it', async () => {
    const [kept, removed, added] = [aNumber(), aNumber(), aNumber()];
    const gateway = await aGateway('inbound', { numbers: [kept, removed] });
    expect(await patch(gateway.id, { numbers: [kept, added] })).toMatchObject({ numbers: [kept, added] });
    expect((await api.get(`/v2/sip/phone-numbers/${removed}`)).body).toMatchObject({ inbound: null });
    expect((await api.get(`/v2/sip/phone-numbers/${added}`)).body).toMatchObject({ inbound: { id: gateway.id } });
    expect(await patch(gateway.id, { numbers: null })).toMatchObject({ numbers: [] });
  });

  // shows: everywhere.read-only
  test('a gateway that was got, changed and sent back is accepted', async () => {
    const { inboundGatewayId } = await aRegisteredNumber();
    const { body } = await api.get(`/v2/sip/inbound-gateways/${inboundGatewayId}`);
    const got = body as Record<string, unknown>;
    expect(await patch(inboundGatewayId, { ...got, geoRegion: 'default' })).toMatchObject({ sipRegion: 'default' });
  });
});

describe('409', () => {
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
});
