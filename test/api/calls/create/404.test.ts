import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { aCallingNumber, aNumber, aRegisteredNumber, aRule } from '../../support-resources.js';

const notFound = async (body: object) => {
  const response = await api.post('/v2/sip/call', { sipCallTo: aNumber(), ...body });
  expect(response.status).toBe(404);
  expect(response.body).toEqual({ message: expect.any(String) });
  return (response.body as { message: string }).message;
};

// shows: call.gateway-not-found, calls.gateway
test('a gateway that does not exist, is inbound, or is another account’s is not found, in the same words', async () => {
  const { e164, inboundGatewayId } = await aCallingNumber();
  const { token } = await anAccount();
  const theirs = await aRegisteredNumber({}, { token });
  const answers = await Promise.all(
    ['gwo_none', inboundGatewayId, theirs.outboundGatewayId].map((gatewayId) =>
      notFound({ sipCallFrom: e164, gatewayId }),
    ),
  );
  expect(new Set(answers)).toEqual(new Set(['Outbound gateway not found']));
});

test('a rule that does not exist or is another account’s is not found, in the same words', async () => {
  const { e164 } = await aCallingNumber();
  const { token } = await anAccount();
  const theirNumber = await aRegisteredNumber({}, { token });
  const theirs = await aRule({ type: 'inbound', agentId: null, phoneNumbers: [theirNumber.e164] }, { token });
  expect(await notFound({ sipCallFrom: e164, routingRuleId: 'rule_none' })).toBe('Routing rule not found');
  expect(await notFound({ sipCallFrom: e164, routingRuleId: theirs })).toBe('Routing rule not found');
});

test('nobody calls from a number that is not on the account', async () => {
  const { token } = await anAccount();
  const { e164 } = await aRegisteredNumber({}, { token });
  expect(await notFound({ sipCallFrom: e164 })).toContain('not found');
});
