import { expect, test } from 'vitest';
import { api, here } from '../../support.js';
import { anAgent, aRegisteredNumber, rowsOf } from '../../support-resources.js';

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
