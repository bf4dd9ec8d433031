import { expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aCallingNumber, aRegisteredNumber, aRule, routeOf, rowsOf } from '../../support-resources.js';

const release = (phoneNumberId: string) => api.post(`/v2/sip/phone-numbers/${phoneNumberId}/release`);

// shows: numbers.release.409
test('a number is not released while an unfinished batch calls from it', async () => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status: 'scheduled', route: routeOf(number) });
  const response = await release(number.phoneNumberId);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
});

// shows: numbers.release.409
test.each(['inbound', 'outbound'])('a number is not released while an %s rule holds it', async (type) => {
  const number = await aRegisteredNumber();
  const ruleId = await aRule({ type, phoneNumbers: [number.e164] });

  const response = await release(number.phoneNumberId);

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(ruleId) });
  expect((await api.get(`/v2/sip/phone-numbers/${number.e164}`)).body).toMatchObject({
    outbound: { id: number.outboundGatewayId },
  });
  await api.delete(`/v2/sip/routing-rule/${ruleId}`);
  expect((await release(number.phoneNumberId)).status).toBe(200);
});

test('release against rule create: never a rule on a number that is gone', async () => {
  const numbers = await Promise.all(Array.from({ length: 12 }, () => aRegisteredNumber()));
  const outcomes = await Promise.all(
    numbers.map(async ({ e164, phoneNumberId }) => {
      const rule = { name: 'Race', type: 'inbound', phoneNumbers: [e164] };
      const [released, made] = await Promise.all([release(phoneNumberId), api.post('/v2/sip/routing-rule', rule)]);
      return { phoneNumberId, statuses: `${released.status} ${made.status}` };
    }),
  );
  for (const { phoneNumberId, statuses } of outcomes) {
    expect(['200 400', '409 201']).toContain(statuses);
    const held = await rowsOf('select 1 from rule_numbers where number_id = $1', [phoneNumberId]);
    expect(held).toHaveLength(statuses === '409 201' ? 1 : 0);
  }
});
