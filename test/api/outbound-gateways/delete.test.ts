import { describe, expect, test } from 'vitest';
import { cancellableStatuses } from '../../../domain/batch/batch-call.js';
import { aBatch, csv, fields, send } from '../batch-calls/support.js';
import { aCallingNumber, aGateway, aNumber, routeOf, rowsOf } from '../support-resources.js';
import { api } from '../support.js';

describe('200', () => {
  // shows: gateway.outbound
  test('a deleted gateway is gone, its numbers stay on the account and can have another', async () => {
    const number = aNumber();
    const { id } = await aGateway('outbound', { numbers: [number] });

    const response = await api.delete(`/v2/sip/outbound-gateways/${id}`);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: expect.any(String) });
    expect((await api.get(`/v2/sip/outbound-gateways/${id}`)).status).toBe(404);
    expect((await api.get(`/v2/sip/phone-numbers/${number}`)).body).toMatchObject({ outbound: null });
    expect(await rowsOf('select 1 from gateway_admission where gateway_id = $1', [id])).toEqual([]);
    expect(await aGateway('outbound', { numbers: [number] })).toMatchObject({ numbers: [number] });
  });
});

describe('409', () => {
  const remove = (id: string) => api.delete(`/v2/sip/outbound-gateways/${id}`);

  test.each(cancellableStatuses)('a gateway that a batch at status %s dials by stays', async (status) => {
    const number = await aCallingNumber();
    const { batchId } = await aBatch({ status, route: routeOf(number) });
    const response = await remove(number.outboundGatewayId);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
  });

  test('a gateway stays while a call by it is not over', async () => {
    const number = await aCallingNumber();
    await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
    const response = await remove(number.outboundGatewayId);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining('not over') });
  });

  test('delete against batch create: never a batch whose gateway is gone', async () => {
    const numbers = await Promise.all(Array.from({ length: 10 }, () => aCallingNumber()));
    const outcomes = await Promise.all(
      numbers.map(async ({ e164, outboundGatewayId }) => {
        const [deleted, created] = await Promise.all([
          remove(outboundGatewayId),
          send([csv(), ...fields({ name: 'Race', phoneNumber: e164 })]),
        ]);
        return { outboundGatewayId, statuses: `${deleted.status} ${created.status}` };
      }),
    );
    for (const { outboundGatewayId, statuses } of outcomes) {
      expect(['200 400', '409 201']).toContain(statuses);
      const rows = await rowsOf('select 1 from gateways where id = $1', [outboundGatewayId]);
      expect(rows).toHaveLength(statuses === '409 201' ? 1 : 0);
    }
  });
});
