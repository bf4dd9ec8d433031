import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aBatch } from '../../batch-calls/support.js';
import { aCallingNumber, aRegisteredNumber, numbersBody, routeOf, rowsOf } from '../../support-resources.js';

// shows: numbers.release
test('a released number is gone with its gateways, and can be registered anew', async () => {
  const number = await aRegisteredNumber();
  const response = await api.post(`/v2/sip/phone-numbers/${number.phoneNumberId}/release`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ message: expect.stringContaining(number.e164) });
  expect((await api.get(`/v2/sip/phone-numbers/${number.phoneNumberId}`)).status).toBe(404);
  expect(await rowsOf('select 1 from gateways where id = $1', [number.outboundGatewayId])).toEqual([]);

  const again = await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [number.e164] }));
  expect(again.status).toBe(201);
});

test('a number can be released by its E.164, and its finished batches stay', async () => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status: 'completed', route: routeOf(number) });
  await api.delete(`/v2/sip/routing-rule/${number.ruleId}`);
  expect((await api.post(`/v2/sip/phone-numbers/${number.e164}/release`)).status).toBe(200);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ phoneNumber: number.e164 });
});

test('release against create: whoever registers a number that is being released gets it', async () => {
  const numbers = await Promise.all(Array.from({ length: 12 }, () => aRegisteredNumber()));
  for (const { e164 } of numbers) await api.post('/v2/sip/phone-numbers/detach', { phoneNumber: e164 });
  const outcomes = await Promise.all(
    numbers.map(async ({ e164, phoneNumberId }) => {
      const [released, created] = await Promise.all([
        api.post(`/v2/sip/phone-numbers/${phoneNumberId}/release`),
        api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] })),
      ]);
      return { released: released.status, created: created.status, data: (created.body as { data: unknown[] }).data };
    }),
  );
  for (const { released, created, data } of outcomes) {
    expect([released, created]).toEqual([200, 201]);
    expect(data).toHaveLength(1);
  }
});
