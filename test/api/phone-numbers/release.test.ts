import { describe, expect, test } from 'vitest';
import { aBatch } from '../batch-calls/support.js';
import {
  aCallingNumber,
  aNumber,
  aRegisteredNumber,
  aRule,
  numbersBody,
  routeOf,
  rowsOf,
} from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  // shows: numbers.release
  test('a released number is gone with its gateways, and can be registered again', async () => {
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

  test('release against create: an account that registers a number that is being released gets it', async () => {
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
});

describe('404', () => {
  test('an unknown number and one of another account get the same answer, and theirs stays', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    for (const name of [theirs.phoneNumberId, theirs.e164, aNumber(), 'num_0']) {
      const response = await api.post(`/v2/sip/phone-numbers/${name}/release`);
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: 'Phone number not found' });
    }
    const after = await api.get(`/v2/sip/phone-numbers/${theirs.e164}`, { token: other.token });
    expect(after.status).toBe(200);
  });
});

describe('409', () => {
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
});
