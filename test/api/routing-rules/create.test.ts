import { describe, expect, test } from 'vitest';
import { anAgent, aNumber, aRegisteredNumber, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

const stored = () => rowsOf('select id from routing_rules order by id');

describe('201', () => {
  const create = (body: object, headers: Record<string, string> = {}) =>
    api.post('/v2/sip/routing-rule', body, { headers });

  const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);

  // shows: everywhere.arrays-there, rule.create, rule.api-key
  test('an outbound rule needs a name, an agent and nothing else; everything else has its default', async () => {
    const agentId = await anAgent();
    const { e164 } = await aRegisteredNumber();

    const response = await create({ name: 'Calls', type: 'outbound', agentId, phoneNumbers: [e164] });

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^rule_/),
      type: 'outbound',
      numbers: [e164],
      phoneNumbers: [e164],
      createdAt: time,
      updatedAt: time,
      name: 'Calls',
      apiKey: here().me.key.id,
      agentId,
      agentMetadata: {},
      room: { type: 'dynamic', prefix: 'blank' },
      includeHeaders: 'NONE',
      headers: {},
      headersToAttributes: {},
      allowedNumbers: [],
      allowedIpAddresses: [],
      tags: [],
      recording: false,
      dtmf: false,
      noiseCancellation: false,
      hidePhoneNumber: false,
    });
  });

  // shows: rules.fields
  test('every field of an outbound rule comes back as sent', async () => {
    const numbers = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
    const rule = {
      name: 'Everything',
      type: 'outbound',
      agentId: await anAgent(),
      agentMetadata: { team: 'north', nested: { nothing: null } },
      room: { type: 'static', prefix: 'random', id: 'front-desk', pin: '1234' },
      apiKey: here().me.key.id,
      includeHeaders: 'SIP_X_HEADERS',
      headers: { 'X-Campaign': 'spring, 2026' },
      allowedNumbers: ['+14155550100', '+91*', '+1*'],
      tags: ['a', 'b'],
      dtmf: true,
      noiseCancellation: true,
      hidePhoneNumber: true,
    };
    const response = await create({ ...rule, numbers });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ ...rule, numbers, phoneNumbers: numbers });
  });

  // shows: rule.allowed-addresses
  test('an inbound rule takes attributes and address ranges, and needs no agent', async () => {
    const rule = {
      name: 'Reception',
      type: 'inbound',
      phoneNumbers: [(await aRegisteredNumber()).e164],
      headersToAttributes: { 'X-Customer': 'customer' },
      allowedIpAddresses: ['198.51.100.0/24', '2001:db8::/32'],
      recording: false,
    };
    const response = await create(rule);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject(rule);
    expect(response.body).not.toHaveProperty('agentId');
  });

  test('an inbound rule may know callers by the last call to them, for 1 to 90 days', async () => {
    const rule = { name: 'Callers', type: 'inbound', agentId: await anAgent(), matchRecent: { days: 90 } };
    const response = await create(rule);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject(rule);
    const { id } = response.body as { id: string };
    const path = `/v2/sip/routing-rule/${id}`;
    expect((await api.patch(path, { matchRecent: { days: 1 } })).body).toMatchObject({ matchRecent: { days: 1 } });
    expect((await api.patch(path, { agentId: null })).body).toMatchObject({
      errors: [expect.stringContaining('agentId')],
    });
    expect((await api.patch(path, { matchRecent: null })).body).not.toHaveProperty('matchRecent');
  });

  // shows: rule.numbers-names
  test('a number may have several outbound rules, and both names of the list may say the same', async () => {
    const { e164 } = await aRegisteredNumber();
    const rule = {
      name: 'One of many',
      type: 'outbound',
      agentId: await anAgent(),
      phoneNumbers: [e164],
      numbers: [e164],
    };
    expect((await create(rule)).status).toBe(201);
    expect((await create(rule)).status).toBe(201);
  });

  test('the rule of an agent that is not live yet may be made already', async () => {
    const agentId = await anAgent({ status: 'inactive' });
    expect((await create({ name: 'Soon', type: 'outbound', agentId })).status).toBe(201);
  });

  // shows: idempotency.every-create
  test('a second try with the same Idempotency-Key makes no second rule', async () => {
    const rule = { name: 'Only one', type: 'outbound', agentId: await anAgent() };
    const headers = { 'idempotency-key': 'rule-1' };
    const [first, again] = [await create(rule, headers), await create(rule, headers)];
    expect(again.body).toEqual(first.body);
    expect(await rowsOf(`select 1 from routing_rules where name = 'Only one'`)).toHaveLength(1);
  });
});

describe('400', () => {
  const errorsOf = async (body: unknown): Promise<string[]> => {
    const response = await api.post('/v2/sip/routing-rule', body);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ message: expect.any(String) });
    return (response.body as { errors: string[] }).errors;
  };

  test.each([
    [{ type: 'outbound', agentId: 'agt_x', matchRecent: { days: 7 } }, 'matchRecent'],
    [{ type: 'inbound', matchRecent: { days: 7 } }, 'agentId'],
    [{ type: 'inbound', agentId: 'agt_x', matchRecent: { days: 91 } }, 'matchRecent.days'],
    [{ type: 'inbound', agentId: 'agt_x', matchRecent: { days: 0 } }, 'matchRecent.days'],
    [{ type: 'inbound', agentId: 'agt_x', matchRecent: {} }, 'matchRecent.days'],
  ])('%j says what is wrong at %s', async (change, field) => {
    expect(await errorsOf({ name: 'Callers', ...change })).toEqual([expect.stringContaining(field)]);
  });

  const outbound = async (change: object) => ({ name: 'R', type: 'outbound', agentId: await anAgent(), ...change });
  const inbound = (change: object) => ({ name: 'R', type: 'inbound', ...change });

  // shows: rule.headers
  test('every problem is named at once, and nothing is stored', async () => {
    const before = await stored();
    const errors = await errorsOf({
      type: 'outbound',
      phoneNumbers: ['123', 'x'],
      agentMetadata: 'none',
      room: { type: 'static', prefix: 'mine', color: 1 },
      includeHeaders: 'SOME',
      headers: { From: 'me', 'X-Good': 'fine', 'X-Bad': 'two\r\nlines' },
      headersToAttributes: { a: 'b' },
      allowedNumbers: ['+91*', '91*', '*', '+1415*5', 'nobody'],
      allowedIpAddresses: ['10.0.0.1', '10.0.0.0/33'],
      tags: [''],
      recording: 'yes',
      dtmf: 1,
      color: 'red',
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'agentId',
      'agentMetadata',
      'allowedIpAddresses',
      'allowedIpAddresses[0]',
      'allowedIpAddresses[1]',
      'allowedNumbers[1]',
      'allowedNumbers[2]',
      'allowedNumbers[3]',
      'allowedNumbers[4]',
      'color',
      'dtmf',
      'headers.From',
      'headers.X-Bad',
      'headersToAttributes',
      'includeHeaders',
      'name',
      'phoneNumbers[0]',
      'phoneNumbers[1]',
      'recording',
      'room.color',
      'room.id',
      'room.prefix',
      'tags[0]',
    ]);
    expect(await stored()).toEqual(before);
  });

  // shows: call.needs-rule, rules.outbound-agent, rule.agent-required
  test('an outbound rule without an agent is refused', async () => {
    expect(await errorsOf({ name: 'R', type: 'outbound' })).toEqual(['agentId: is required for an outbound rule']);
  });

  // shows: rule.static-room
  test('a static room needs its id, and only a static one has one', async () => {
    expect(await errorsOf(await outbound({ room: { type: 'static' } }))).toEqual([
      'room.id: is required for a static room',
    ]);
    expect(await errorsOf(await outbound({ room: { id: 'here' } }))).toEqual(['room.id: is for static rooms only']);
  });

  // shows: rule.headers
  test('what belongs to the other direction is refused', async () => {
    expect(await errorsOf(inbound({ headers: { 'X-A': 'b' } }))).toEqual(['headers: is for outbound rules only']);
    expect(await errorsOf(await outbound({ allowedIpAddresses: ['198.51.100.0/24'] }))).toEqual([
      'allowedIpAddresses: is for inbound rules only',
    ]);
    expect(await errorsOf(await outbound({ headersToAttributes: { 'X-A': 'b' } }))).toEqual([
      'headersToAttributes: is for inbound rules only',
    ]);
  });

  // shows: rule.api-key
  test('unknown numbers, agents and keys and those of another account get the same answer', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    const [mine, unknown] = [(await aRegisteredNumber()).e164, aNumber()];
    const theirAgent = await anAgent({ accountId: other.account.id });

    expect(
      await errorsOf(
        inbound({ phoneNumbers: [mine, theirs.e164, unknown], agentId: theirAgent, apiKey: other.key.id }),
      ),
    ).toEqual([
      'agentId: is not an agent of this account',
      'apiKey: is not the id of a key of this account',
      `phoneNumbers[1]: ${theirs.e164} is not a number of this account`,
      `phoneNumbers[2]: ${unknown} is not a number of this account`,
    ]);
    expect(await errorsOf(inbound({ agentId: 'agt_0', apiKey: 'key_0' }))).toEqual([
      'agentId: is not an agent of this account',
      'apiKey: is not the id of a key of this account',
    ]);
    expect(here().me.account.id).not.toBe(other.account.id);
  });

  // shows: rule.numbers-names
  test('the two names of the list must not disagree, and no number comes twice', async () => {
    const [one, two] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
    expect(await errorsOf(inbound({ phoneNumbers: [one], numbers: [two] }))).toEqual([
      'numbers: is another name for phoneNumbers and must not differ from it',
    ]);
    expect(await errorsOf(inbound({ phoneNumbers: [one, two, one] }))).toEqual([
      'phoneNumbers[2]: is the same as phoneNumbers[0]',
    ]);
  });

  test('metadata of a rule has the size of a call’s at most', async () => {
    const sized = (bytes: number) => ({ agentMetadata: { note: 'x'.repeat(bytes - '{"note":""}'.length) } });
    expect(await errorsOf(await outbound(sized(16_385)))).toEqual([
      'agentMetadata: must be at most 16384 bytes as JSON',
    ]);
    expect((await api.post('/v2/sip/routing-rule', await outbound(sized(16_384)))).status).toBe(201);
  });

  test('P1-2: a static room named as the service names its own is refused', async () => {
    for (const id of [
      'call_0198c0de-0000-7000-8000-000000000001_1_1',
      'acc_0198c0de-0000-7000-8000-00000000000a.support',
      'playground_0198f6f0-1a2e-7d1c-9b3a-0c1d2e3f4a5b',
    ]) {
      const [problem] = await errorsOf(await outbound({ room: { type: 'static', id } }));
      expect(problem).toMatch(/^room\.id: must not look like a room that the service names/);
    }
  });
});

describe('409', () => {
  const inbound = (phoneNumbers: string[]) =>
    api.post('/v2/sip/routing-rule', { name: 'In', type: 'inbound', phoneNumbers });

  // shows: rule.one-inbound
  test('a number has at most one inbound rule: the second names the number and is not stored', async () => {
    const [taken, free] = [(await aRegisteredNumber()).e164, (await aRegisteredNumber()).e164];
    expect((await inbound([taken])).status).toBe(201);
    const before = await stored();

    const response = await inbound([free, taken]);

    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(taken) });
    expect(await stored()).toEqual(before);
    expect((await inbound([free])).status).toBe(201);
  });

  // shows: rule.one-inbound
  test('of inbound rules for one number made at the same time exactly one is stored', async () => {
    const { e164 } = await aRegisteredNumber();
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => inbound([e164])))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('inbound rules for the same numbers in any order never wait for each other in a circle', async () => {
    const numbers = await Promise.all(Array.from({ length: 20 }, async () => (await aRegisteredNumber()).e164));
    const orders = [numbers, [...numbers].reverse(), numbers, [...numbers].reverse()];
    const statuses = (await Promise.all(orders.map(inbound))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  });
});

describe('422', () => {
  test('a key that was used with another rule is refused, and makes none', async () => {
    const headers = { 'idempotency-key': 'once' };
    await api.post('/v2/sip/routing-rule', { name: 'First', type: 'inbound' }, { headers });
    const before = await stored();
    const response = await api.post('/v2/sip/routing-rule', { name: 'Second', type: 'inbound' }, { headers });
    expect(response.status).toBe(422);
    expect(response.body).toEqual({ message: expect.stringContaining('another request') });
    expect(await stored()).toEqual(before);
  });
});
