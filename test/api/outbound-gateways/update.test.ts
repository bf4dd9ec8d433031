import { describe, expect, test } from 'vitest';
import { aBatch, csv, fields, send } from '../batch-calls/support.js';
import { aCallingNumber, aGateway, aNumber, routeOf, rowsOf } from '../support-resources.js';
import { api } from '../support.js';

describe('200', () => {
  const patch = async (id: string, body: object) => {
    const response = await api.patch(`/v2/sip/outbound-gateways/${id}`, body);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.body).toEqual((await api.get(`/v2/sip/outbound-gateways/${id}`)).body);
    return response.body as Record<string, unknown>;
  };

  // shows: gateway.outbound
  test('what is sent is changed, what is not stays, and the answer is the bare gateway', async () => {
    const gateway = await aGateway('outbound', { tags: ['kept'], auth: { username: 'me', password: 'correct horse' } });
    const change = { name: 'Changed', maxConcurrentCalls: 3, callsPerSecond: 0.5, address: 'other.example' };
    expect(await patch(gateway.id, change)).toEqual({ ...gateway, ...change, updatedAt: expect.any(String) });
  });

  test('reserved lines are changed and cleared, alone and with the lines of which they are', async () => {
    const { id } = await aGateway('outbound', { maxConcurrentCalls: 10 });
    expect(await patch(id, { reservedCalls: 9 })).toMatchObject({ reservedCalls: 9, maxConcurrentCalls: 10 });
    expect(await patch(id, { maxConcurrentCalls: 5, reservedCalls: 4 })).toMatchObject({ reservedCalls: 4 });
    expect(await patch(id, { reservedCalls: null, maxConcurrentCalls: 1 })).toMatchObject({ reservedCalls: 0 });
  });

  test('an empty body changes nothing', async () => {
    const gateway = await aGateway('outbound');
    expect(await patch(gateway.id, {})).toEqual({ ...gateway, updatedAt: expect.any(String) });
  });

  test('numbers replace the list, and a gateway that was got, changed and sent back is accepted', async () => {
    const [kept, removed, added] = [aNumber(), aNumber(), aNumber()];
    const gateway = await aGateway('outbound', { numbers: [kept, removed] });
    expect(await patch(gateway.id, { ...gateway, numbers: [added, kept] })).toMatchObject({ numbers: [kept, added] });
    expect((await api.get(`/v2/sip/phone-numbers/${removed}`)).body).toMatchObject({ outbound: null });
    expect(await patch(gateway.id, { ...gateway, numbers: [kept], callsPerSecond: 3 })).toMatchObject({
      numbers: [kept],
      callsPerSecond: 3,
    });
  });

  test('a gateway of a number that calls can be changed while it does', async () => {
    const number = await aCallingNumber();
    await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
    expect(await patch(number.outboundGatewayId, { maxConcurrentCalls: 1 })).toMatchObject({ maxConcurrentCalls: 1 });
  });
});

describe('409', () => {
  const takeOff = (id: string) => api.patch(`/v2/sip/outbound-gateways/${id}`, { numbers: [] });

  test('a number that an unfinished batch calls from is not taken off, and nothing else is changed', async () => {
    const number = await aCallingNumber();
    const { batchId } = await aBatch({ status: 'parsing', route: routeOf(number) });
    const response = await api.patch(`/v2/sip/outbound-gateways/${number.outboundGatewayId}`, {
      name: 'X',
      numbers: null,
    });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
    expect((await api.get(`/v2/sip/outbound-gateways/${number.outboundGatewayId}`)).body).toMatchObject({
      name: 'Reminders',
      numbers: [number.e164],
    });
  });

  test('taking a number off against batch create: never a batch whose number has no gateway', async () => {
    const numbers = await Promise.all(Array.from({ length: 8 }, () => aCallingNumber()));
    const outcomes = await Promise.all(
      numbers.map(async ({ e164, phoneNumberId, outboundGatewayId }) => {
        const [changed, created] = await Promise.all([
          takeOff(outboundGatewayId),
          send([csv(), ...fields({ name: 'Race', phoneNumber: e164 })]),
        ]);
        return { phoneNumberId, statuses: `${changed.status} ${created.status}` };
      }),
    );
    for (const { phoneNumberId, statuses } of outcomes) {
      expect(['200 400', '409 201']).toContain(statuses);
      const links = await rowsOf(`select 1 from number_gateways where number_id = $1 and direction = 'outbound'`, [
        phoneNumberId,
      ]);
      expect(links).toHaveLength(statuses === '409 201' ? 1 : 0);
    }
  });
});
