import { expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { api, here } from '../../support.js';
import { aCallingNumber, anAgent, aRegisteredNumber, aRule, routeOf, rowsOf } from '../../support-resources.js';

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
  expect(await patch(id, { room: { type: 'dynamic' } })).toMatchObject({ room: { type: 'dynamic', prefix: 'blank' } });
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
