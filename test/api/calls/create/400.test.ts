import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aCallingNumber, aNumber, anAgent, aRegisteredNumber, aRule, rowsOf } from '../../support-resources.js';

const call = (body: unknown) => api.post('/v2/sip/call', body);
const refused = async (body: object) => {
  const response = await call(body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String) });
  return (response.body as { message: string }).message;
};

// shows: call.participant, calls.accepted
test('every problem is named at once', async () => {
  const response = await call({
    sipCallFrom: '14155550100',
    metadata: [],
    participant: { id: 7, color: 'red' },
    ringingTimeout: 14,
    maxCallDuration: 0,
    headers: { Via: 'me' },
    recordAudio: 'yes',
    mediaEncryption: 'maybe',
    includeHeaders: 'SOME',
    sipCallTO: aNumber(),
  });
  expect(response.status).toBe(400);
  const { errors } = response.body as { errors: string[] };
  expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'headers.Via',
    'includeHeaders',
    'maxCallDuration',
    'mediaEncryption',
    'metadata',
    'participant.color',
    'participant.id',
    'recordAudio',
    'ringingTimeout',
    'sipCallFrom',
    'sipCallTO',
    'sipCallTo',
  ]);
});

// shows: calls.required
test.each([
  ['an empty body', undefined],
  ['an empty JSON body', ''],
  ['nothing but nulls', { sipCallTo: null, sipCallFrom: null, metadata: null }],
])('%s lacks both numbers', async (_case, body) => {
  const response = await call(body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ errors: ['sipCallFrom: is required', 'sipCallTo: is required'] });
});

// shows: call.no-gateway, errors.call
test('a number without an outbound gateway cannot call', async () => {
  const { e164 } = await aCallingNumber();
  await rowsOf(`delete from number_gateways where e164 = $1 and direction = 'outbound'`, [e164]);
  expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('No outbound gateway');
});

// shows: call.needs-rule
test('a number without an outbound rule cannot call', async () => {
  const { e164 } = await aRegisteredNumber();
  await aRule({ type: 'inbound', phoneNumbers: [e164] });
  expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('no outbound routing rule');
});

test('a rule that is inbound, or on another number, is refused', async () => {
  const { e164 } = await aCallingNumber();
  const inbound = await aRule({ type: 'inbound', phoneNumbers: [e164] });
  const { ruleId } = await aCallingNumber();
  const body = { sipCallTo: aNumber(), sipCallFrom: e164 };
  expect(await refused({ ...body, routingRuleId: inbound })).toContain('not an outbound');
  expect(await refused({ ...body, routingRuleId: ruleId })).toContain('not attached');
});

// shows: calls.inactive-agent
test('a rule whose agent is not active is refused', async () => {
  const { e164 } = await aCallingNumber({ agentId: await anAgent({ status: 'inactive' }) });
  expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164 })).toContain('not active');
});

// shows: calls.gateway
test('a gateway of another number is refused', async () => {
  const { e164 } = await aCallingNumber();
  const { outboundGatewayId } = await aRegisteredNumber();
  expect(await refused({ sipCallTo: aNumber(), sipCallFrom: e164, gatewayId: outboundGatewayId })).toContain(
    'attached',
  );
});

test('a callee whom the rule does not allow is refused, and nothing is stored', async () => {
  const { e164 } = await aCallingNumber({ allowedNumbers: ['+1*'] });
  const sipCallTo = aNumber();
  const asked = () => rowsOf("select 1 from outbox where name = 'calls'");
  const before = await asked();
  expect(await refused({ sipCallTo, sipCallFrom: e164 })).toContain('does not allow');
  expect(await rowsOf('select 1 from calls where to_number = $1', [sipCallTo])).toEqual([]);
  expect(await asked()).toEqual(before);
});

test('metadata is at most 16 KB, to the byte', async () => {
  const { e164 } = await aCallingNumber();
  const sized = (bytes: number) => ({
    sipCallTo: aNumber(),
    sipCallFrom: e164,
    metadata: { note: 'é'.repeat((bytes - '{"note":""}'.length - 1) / 2) + 'x' },
  });
  expect((await call(sized(16_384))).status).toBe(201);
  const response = await call(sized(16_386));
  expect(response.body).toMatchObject({ errors: ['metadata: must be at most 16384 bytes as JSON'] });
});

test.each([
  'call_0198c0de-0000-7000-8000-000000000001_1_1',
  'acc_0198c0de-0000-7000-8000-00000000000a.support',
  'playground_0198f6f0-1a2e-7d1c-9b3a-0c1d2e3f4a5b',
])('P1-2: a room named as the service names its own is refused: %s', async (destinationRoomId) => {
  const { e164 } = await aCallingNumber();
  const response = await call({ sipCallTo: aNumber(), sipCallFrom: e164, destinationRoomId });
  expect(response.status).toBe(400);
  expect((response.body as { errors: string[] }).errors).toEqual([
    expect.stringMatching(/^destinationRoomId: must not look like a room that the service names/),
  ]);
});
