import { expect, test } from 'vitest';
import { cancellableStatuses } from '../../../../domain/batch/batch-call.js';
import { aBatch, csv, fields, send } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aCallingNumber, routeOf, rowsOf } from '../../support-resources.js';

const detach = (phoneNumber: string) => api.post('/v2/sip/phone-numbers/detach', { phoneNumber });

// shows: numbers.detach.409
test.each(cancellableStatuses)('a number that a batch at status %s calls from stays attached', async (status) => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status, route: routeOf(number) });

  const response = await detach(number.e164);

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
  const after = await api.get(`/v2/sip/phone-numbers/${number.e164}`);
  expect(after.body).toMatchObject({ outbound: { id: number.outboundGatewayId } });
});

// shows: numbers.detach.409
test('detach against create: never a batch whose number has no gateway', async () => {
  const numbers = await Promise.all(Array.from({ length: 12 }, () => aCallingNumber()));
  const outcomes = await Promise.all(
    numbers.map(async ({ e164, phoneNumberId }) => {
      const [detached, created] = await Promise.all([
        detach(e164),
        send([csv(), ...fields({ name: 'Race', phoneNumber: e164 })]),
      ]);
      return { phoneNumberId, statuses: `${detached.status} ${created.status}` };
    }),
  );
  for (const { phoneNumberId, statuses } of outcomes) {
    expect(['200 400', '409 201']).toContain(statuses);
    const links = await rowsOf('select 1 from number_gateways where number_id = $1', [phoneNumberId]);
    expect(links).toHaveLength(statuses === '409 201' ? 2 : 0);
  }
});
