import { describe, expect, test } from 'vitest';
import { cancellableStatuses } from '../../../domain/batch/batch-call.js';
import { aBatch, csv, fields, send } from '../batch-calls/support.js';
import { aCallingNumber, aNumber, aRule, routeOf, rowsOf } from '../support-resources.js';
import { api } from '../support.js';

describe('200', () => {
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
});

describe('404', () => {
  test('a rule is deleted once', async () => {
    const id = await aRule();
    const statuses = (await Promise.all(Array.from({ length: 4 }, () => api.delete(`/v2/sip/routing-rule/${id}`)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([200, 404, 404, 404]);
  });
});

describe('409', () => {
  const remove = (id: string) => api.delete(`/v2/sip/routing-rule/${id}`);

  // shows: rule.delete.409
  test.each(cancellableStatuses)('a rule that a batch at status %s uses stays', async (status) => {
    const number = await aCallingNumber();
    const { batchId } = await aBatch({ status, route: routeOf(number) });

    const response = await remove(number.ruleId);

    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
    expect((await api.get(`/v2/sip/routing-rule/${number.ruleId}`)).body).toMatchObject({ numbers: [number.e164] });
  });

  test('a rule stays while a call by it is not over: the dialer still reads it', async () => {
    const number = await aCallingNumber();
    await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
    const response = await remove(number.ruleId);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining('not over') });

    await rowsOf(`update calls set status = 'failed' where rule_id = $1`, [number.ruleId]);
    expect((await remove(number.ruleId)).status).toBe(200);
  });

  test('delete against batch create: never a batch whose rule is gone', async () => {
    const numbers = await Promise.all(Array.from({ length: 12 }, () => aCallingNumber()));
    const outcomes = await Promise.all(
      numbers.map(async ({ e164, ruleId }, index) => {
        // With and without naming the rule: each way takes its locks by statements of its own.
        const named = index % 2 === 0 ? { routingRuleId: ruleId } : {};
        const [deleted, created] = await Promise.all([
          remove(ruleId),
          send([csv(), ...fields({ name: 'Race', phoneNumber: e164, ...named })]),
        ]);
        return { ruleId, named: 'routingRuleId' in named, statuses: `${deleted.status} ${created.status}` };
      }),
    );
    for (const { ruleId, named, statuses } of outcomes) {
      expect([named ? '200 404' : '200 400', '409 201']).toContain(statuses);
      const rows = await rowsOf('select 1 from routing_rules where id = $1', [ruleId]);
      expect(rows).toHaveLength(statuses === '409 201' ? 1 : 0);
    }
  });
});
