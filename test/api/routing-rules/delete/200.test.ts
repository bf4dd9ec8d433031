import { expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aCallingNumber, aRule, routeOf } from '../../support-resources.js';

// shows: rule.delete
test('a deleted rule is gone, and its numbers stay', async () => {
  const { ruleId, e164 } = await aCallingNumber();
  const response = await api.delete(`/v2/sip/routing-rule/${ruleId}`);
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ message: expect.any(String) });
  expect((await api.get(`/v2/sip/routing-rule/${ruleId}`)).status).toBe(404);
  expect((await api.get(`/v2/sip/phone-numbers/${e164}`)).status).toBe(200);
});

test('a number whose inbound rule is deleted can have another', async () => {
  const { e164, ruleId } = await aCallingNumber({ type: 'inbound' });
  await api.delete(`/v2/sip/routing-rule/${ruleId}`);
  expect(await aRule({ type: 'inbound', phoneNumbers: [e164] })).toMatch(/^rule_/);
});

test('a finished batch does not hold its rule', async () => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status: 'cancelled', route: routeOf(number) });
  expect((await api.delete(`/v2/sip/routing-rule/${number.ruleId}`)).status).toBe(200);
  expect((await api.get(`/v1/batch-calls/${batchId}`)).body).toMatchObject({ routingRuleId: number.ruleId });
});
