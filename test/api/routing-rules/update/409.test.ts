import { expect, test } from 'vitest';
import { aBatch, csv, fields, send } from '../../batch-calls/support.js';
import { api } from '../../support.js';
import { aCallingNumber, aRegisteredNumber, aRule, routeOf, rowsOf } from '../../support-resources.js';

const patch = (id: string, body: object) => api.patch(`/v2/sip/routing-rule/${id}`, body);

test.each([
  ['its number taken off', { phoneNumbers: [] }],
  ['its numbers cleared', { numbers: null }],
  ['its room made static', { room: { type: 'static', id: 'desk' } }],
])('a rule that an unfinished batch uses cannot have %s', async (_what, change) => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status: 'scheduled', route: routeOf(number) });

  const response = await patch(number.ruleId, change);

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
  expect((await api.get(`/v2/sip/routing-rule/${number.ruleId}`)).body).toMatchObject({
    numbers: [number.e164],
    room: { type: 'dynamic' },
  });
});

test('a number has at most one inbound rule: another cannot take it, and may keep its own', async () => {
  const [one, two] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
  await aRule({ type: 'inbound', phoneNumbers: [one] });
  const id = await aRule({ type: 'inbound', phoneNumbers: [two] });

  const response = await patch(id, { phoneNumbers: [one, two] });

  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: `These numbers already have an inbound rule: ${one}` });
  expect((await patch(id, { phoneNumbers: [two], name: 'Same' })).status).toBe(200);
});

test('of inbound rules that take one number at the same time exactly one gets it', async () => {
  const { e164 } = await aRegisteredNumber();
  const rules = await Promise.all(Array.from({ length: 5 }, () => aRule({ type: 'inbound', agentId: null })));
  const responses = await Promise.all(rules.map((id) => patch(id, { phoneNumbers: [e164] })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  expect(await rowsOf('select 1 from rule_numbers where e164 = $1', [e164])).toHaveLength(1);
});

test('taking the number off against batch create: never a batch whose rule does not serve its number', async () => {
  const numbers = await Promise.all(Array.from({ length: 8 }, () => aCallingNumber()));
  const outcomes = await Promise.all(
    numbers.map(async ({ e164, ruleId }, index) => {
      // With and without naming the rule: each way takes its locks by statements of its own.
      const named = index % 2 === 0 ? { routingRuleId: ruleId } : {};
      const [changed, created] = await Promise.all([
        patch(ruleId, { phoneNumbers: [] }),
        send([csv(), ...fields({ name: 'Race', phoneNumber: e164, ...named })]),
      ]);
      return { ruleId, statuses: `${changed.status} ${created.status}` };
    }),
  );
  for (const { ruleId, statuses } of outcomes) {
    expect(['200 400', '409 201']).toContain(statuses);
    const links = await rowsOf('select 1 from rule_numbers where rule_id = $1', [ruleId]);
    expect(links).toHaveLength(statuses === '409 201' ? 1 : 0);
  }
});
