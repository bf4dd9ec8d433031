import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aNumber, anAgent, aRegisteredNumber, aRule } from '../../support-resources.js';

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
  expect(await errorsOf(outbound, { headersToAttributes: { 'X-A': 'b' }, allowedIpAddresses: ['10.0.0.0/8'] })).toEqual(
    ['allowedIpAddresses: is for inbound rules only', 'headersToAttributes: is for inbound rules only'],
  );
});

test('numbers, agents and keys of nobody and of another account sound the same', async () => {
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
