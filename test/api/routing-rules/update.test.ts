import { describe, expect, test } from 'vitest';
import { aBatch, csv, fields, send } from '../batch-calls/support.js';
import { aCallingNumber, anAgent, aNumber, aRegisteredNumber, aRule, routeOf, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('200', () => {
  interface Rule extends Record<string, unknown> {
    readonly id: string;
    readonly numbers: readonly string[];
  }

  const get = async (id: string) => (await api.get(`/v2/sip/routing-rule/${id}`)).body as Rule;

  const patch = async (id: string, body: object): Promise<Rule> => {
    const response = await api.patch(`/v2/sip/routing-rule/${id}`, body);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    expect(response.body).toEqual(await get(id));
    return response.body as Rule;
  };

  // shows: rule.get-patch
  test('every field of an outbound rule can be changed, and comes back as sent', async () => {
    const id = await aRule();
    const { e164 } = await aRegisteredNumber();
    const change = {
      name: 'Changed',
      phoneNumbers: [e164],
      agentId: await anAgent(),
      agentMetadata: { team: 'north', nothing: null },
      room: { type: 'static', prefix: 'random', id: 'desk', pin: '12' },
      apiKey: here().me.key.id,
      includeHeaders: 'ALL',
      headers: { 'X-A': 'b' },
      allowedNumbers: ['+1*', '+919877012345'],
      tags: ['a'],
      dtmf: true,
      noiseCancellation: true,
      hidePhoneNumber: true,
    };
    expect(await patch(id, change)).toMatchObject({ ...change, numbers: [e164], type: 'outbound' });
  });

  test('what is left out stays as it is', async () => {
    const number = await aCallingNumber({ tags: ['kept'], headers: { 'X-A': 'b' } });
    const before = await get(number.ruleId);
    expect(await patch(number.ruleId, { name: 'Changed' })).toEqual({
      ...before,
      name: 'Changed',
      updatedAt: expect.any(String),
    });
    expect(await patch(number.ruleId, {})).toMatchObject({ name: 'Changed', numbers: [number.e164], tags: ['kept'] });
  });

  // shows: everywhere.null
  test('null takes a field back to its default, or removes it', async () => {
    const id = await aRule({ type: 'inbound', agentId: null });
    const before = await get(id);
    const { e164 } = await aRegisteredNumber();
    await patch(id, {
      phoneNumbers: [e164],
      agentId: await anAgent(),
      agentMetadata: { a: 1 },
      room: { type: 'static', id: 'desk' },
      includeHeaders: 'ALL',
      headersToAttributes: { 'X-A': 'a' },
      allowedNumbers: ['+1*'],
      allowedIpAddresses: ['198.51.100.0/24'],
      tags: ['a'],
      dtmf: true,
    });
    const cleared = await patch(id, {
      numbers: null,
      agentId: null,
      agentMetadata: null,
      room: null,
      apiKey: null,
      includeHeaders: null,
      headersToAttributes: null,
      allowedNumbers: null,
      allowedIpAddresses: null,
      tags: null,
      dtmf: null,
    });
    expect(cleared).toEqual({ ...before, updatedAt: expect.any(String), apiKey: undefined });
    expect(cleared).not.toHaveProperty('apiKey');
  });

  // shows: everywhere.read-only
  test('a rule that was got, changed and sent back is accepted, under either name of its numbers', async () => {
    const { ruleId, e164 } = await aCallingNumber();
    const { e164: another } = await aRegisteredNumber();
    const got = await get(ruleId);
    expect(await patch(ruleId, { ...got, name: 'Once' })).toMatchObject({ name: 'Once', numbers: [e164] });
    expect(await patch(ruleId, { ...got, phoneNumbers: [e164, another] })).toMatchObject({ numbers: [e164, another] });
    expect(await patch(ruleId, { ...got, phoneNumbers: [e164, another], numbers: [another] })).toMatchObject({
      numbers: [another],
      phoneNumbers: [another],
    });
  });

  test('numbers keep the order in which they were sent', async () => {
    const [one, two] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
    const id = await aRule({ phoneNumbers: [one, two] });
    expect((await patch(id, { numbers: [two, one] })).numbers).toEqual([two, one]);
  });

  test('a static room becomes dynamic without its id', async () => {
    const id = await aRule({ room: { type: 'static', id: 'desk', pin: '1' } });
    expect(await patch(id, { room: { type: 'dynamic' } })).toMatchObject({
      room: { type: 'dynamic', prefix: 'blank' },
    });
  });

  test('while an unfinished batch uses the rule, everything else can be changed and numbers be added', async () => {
    const number = await aCallingNumber();
    await aBatch({ status: 'running', route: routeOf(number) });
    const { e164: another } = await aRegisteredNumber();
    const change = { allowedNumbers: ['+91*'], numbers: [number.e164, another], room: { prefix: 'random' } };
    expect(await patch(number.ruleId, change)).toMatchObject({ numbers: [number.e164, another] });
  });

  test('the audit log says which fields were changed', async () => {
    const id = await aRule();
    await patch(id, { tags: ['a'], name: 'B' });
    expect(
      await rowsOf(`select action, details from audit_log where target = $1 order by id desc limit 1`, [id]),
    ).toEqual([{ action: 'routing-rule.update', details: { fields: expect.arrayContaining(['tags', 'name']) } }]);
  });
});

describe('400', () => {
  test('a number in the caller’s own data that is larger than any is refused, not kept as null', async () => {
    const id = await aRule();
    const { status, text } = await api.patch(
      `/v2/sip/routing-rule/${id}`,
      '{"agentMetadata":{"budget":{"of":[1e400]}}}',
    );
    expect({ status, text }).toMatchObject({
      status: 400,
      text: expect.stringContaining('agentMetadata.budget.of[0]'),
    });
  });

  const errorsOf = async (id: string, body: unknown): Promise<string[]> => {
    const response = await api.patch(`/v2/sip/routing-rule/${id}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    return (response.body as { errors: string[] }).errors;
  };

  test('every problem is named at once, and nothing is changed', async () => {
    const id = await aRule();
    const before = await api.get(`/v2/sip/routing-rule/${id}`);
    const errors = await errorsOf(id, {
      name: '',
      phoneNumbers: ['123'],
      agentMetadata: 'none',
      room: { type: 'static', prefix: 'mine' },
      includeHeaders: 'SOME',
      headers: { From: 'me' },
      allowedNumbers: ['91*'],
      tags: [''],
      recording: 'yes',
      dtmf: 1,
      color: 'red',
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'agentMetadata',
      'allowedNumbers[0]',
      'color',
      'dtmf',
      'headers.From',
      'includeHeaders',
      'name',
      'phoneNumbers[0]',
      'recording',
      'room.id',
      'room.prefix',
      'tags[0]',
    ]);
    expect((await api.get(`/v2/sip/routing-rule/${id}`)).body).toEqual(before.body);
  });

  // shows: rule.type-fixed
  test('type, id and the time it was made cannot be changed', async () => {
    const id = await aRule();
    expect(await errorsOf(id, { type: 'inbound', id: 'rule_0', createdAt: '2020-01-01T00:00:00.000Z' })).toEqual([
      'createdAt: cannot be changed',
      'id: cannot be changed',
      'type: cannot be changed',
    ]);
    expect(await errorsOf(id, { updatedAt: '2099-01-01T00:00:00.000Z' })).toEqual(['updatedAt: cannot be changed']);
  });

  test('a name cannot be cleared, nor the agent of an outbound rule', async () => {
    const id = await aRule();
    expect(await errorsOf(id, { name: null })).toEqual(['name: must be a string']);
    expect(await errorsOf(id, { agentId: null })).toEqual(['agentId: is required for an outbound rule']);
  });

  test('what belongs to the other direction is refused', async () => {
    const outbound = await aRule();
    const inbound = await aRule({ type: 'inbound', agentId: null });
    expect(await errorsOf(inbound, { headers: { 'X-A': 'b' } })).toEqual(['headers: is for outbound rules only']);
    expect(
      await errorsOf(outbound, { headersToAttributes: { 'X-A': 'b' }, allowedIpAddresses: ['10.0.0.0/8'] }),
    ).toEqual(['allowedIpAddresses: is for inbound rules only', 'headersToAttributes: is for inbound rules only']);
  });

  test('unknown numbers, agents and keys and those of another account get the same answer', async () => {
    const id = await aRule();
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    const unknown = aNumber();
    const agentId = await anAgent({ accountId: other.account.id });
    expect(await errorsOf(id, { numbers: [theirs.e164, unknown], agentId, apiKey: other.key.id })).toEqual([
      'agentId: is not an agent of this account',
      'apiKey: is not the id of a key of this account',
      `numbers[0]: ${theirs.e164} is not a number of this account`,
      `numbers[1]: ${unknown} is not a number of this account`,
    ]);
  });

  test('the two names of the list must not both say something new', async () => {
    const [one, two] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
    expect(await errorsOf(await aRule(), { phoneNumbers: [one], numbers: [two] })).toEqual([
      'numbers: is another name for phoneNumbers and must not differ from it',
    ]);
  });
});

describe('409', () => {
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
});
