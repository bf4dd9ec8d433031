import { expect, test } from 'vitest';
import { anAccount, api, here } from '../../support.js';
import { aNumber, anAgent, aRegisteredNumber, rowsOf } from '../../support-resources.js';

const errorsOf = async (body: unknown): Promise<string[]> => {
  const response = await api.post('/v2/sip/routing-rule', body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ message: expect.any(String) });
  return (response.body as { errors: string[] }).errors;
};
const outbound = async (change: object) => ({ name: 'R', type: 'outbound', agentId: await anAgent(), ...change });
const inbound = (change: object) => ({ name: 'R', type: 'inbound', ...change });

// shows: rule.headers
test('every problem is named at once, and nothing is stored', async () => {
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
  expect(await rowsOf('select 1 from routing_rules')).toEqual([]);
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
test('numbers, agents and keys of nobody and of another account sound the same', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  const [mine, unknown] = [(await aRegisteredNumber()).e164, aNumber()];
  const theirAgent = await anAgent({ accountId: other.account.id });

  expect(
    await errorsOf(inbound({ phoneNumbers: [mine, theirs.e164, unknown], agentId: theirAgent, apiKey: other.key.id })),
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
  expect(await errorsOf(await outbound(sized(16_385)))).toEqual(['agentMetadata: must be at most 16384 bytes as JSON']);
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
