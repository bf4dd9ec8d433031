import { expect, test } from 'vitest';
import { aBatch, csv, fields, send } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aCallingNumber, routeOf, rowsOf } from '../../support-resources.js';

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
