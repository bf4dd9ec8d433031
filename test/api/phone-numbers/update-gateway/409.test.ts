import { expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { anAccount, api } from '../../support.js';
import { aCallingNumber, aNumber, aRegisteredNumber, routeOf } from '../../support-resources.js';

const patch = (gatewayId: string, numbers: string[]) =>
  api.patch(`/v2/sip/phone-numbers/gateways/${gatewayId}`, { numbers });

test('a number that an unfinished batch calls from is not taken off; others may be added', async () => {
  const number = await aCallingNumber();
  const { batchId } = await aBatch({ status: 'running', route: routeOf(number) });

  const response = await patch(number.outboundGatewayId, []);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
  expect((await patch(number.outboundGatewayId, [number.e164, aNumber()])).status).toBe(200);
});

test.each(['inbound', 'outbound'] as const)(
  'a number has one %s gateway: another is a conflict that changes nothing',
  async (side) => {
    const [one, two] = [await aRegisteredNumber(), await aRegisteredNumber()];
    const id = (number: typeof one) => (side === 'inbound' ? number.inboundGatewayId : number.outboundGatewayId);
    const response = await patch(id(one), [one.e164, two.e164]);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: `These numbers already have an ${side} gateway: ${two.e164}` });
    expect((await api.get(`/v2/sip/phone-numbers/${two.e164}`)).body).toMatchObject({ [side]: { id: id(two) } });
  },
);

test('a number that comes in at another account sounds like one of one’s own', async () => {
  const other = await anAccount();
  const theirs = await aRegisteredNumber({}, { token: other.token });
  const mine = await aRegisteredNumber();
  const response = await patch(mine.inboundGatewayId, [mine.e164, theirs.e164]);
  expect(response.status).toBe(409);
  expect(response.body).toEqual({ message: `These numbers already have an inbound gateway: ${theirs.e164}` });
});
