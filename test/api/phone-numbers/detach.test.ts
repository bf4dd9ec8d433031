import { describe, expect, test } from 'vitest';
import { cancellableStatuses } from '../../../domain/batch/batch-call.js';
import { aBatch, csv, fields, send } from '../batch-calls/support.js';
import {
  aCallingNumber,
  aGateway,
  aNumber,
  aRegisteredNumber,
  numbersBody,
  routeOf,
  rowsOf,
} from '../support-resources.js';
import { anAccount, api } from '../support.js';

const detach = (phoneNumber: string) => api.post('/v2/sip/phone-numbers/detach', { phoneNumber });

describe('200', () => {
  const gatewaysThere = async (...ids: string[]) =>
    (await rowsOf<{ id: string }>('select id from gateways where id = any($1)', [ids])).map(({ id }) => id);

  // shows: numbers.shared-fixed, numbers.detach
  test('a detached number stays on the account, and can be registered again', async () => {
    const number = await aRegisteredNumber();
    const response = await detach(number.e164);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: expect.stringContaining(number.e164) });
    expect(await gatewaysThere(number.inboundGatewayId, number.outboundGatewayId)).toEqual([]);

    const again = await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [number.e164] }));
    expect(again.status).toBe(201);
    expect(again.body).toMatchObject({ data: [{ phoneNumber: { phoneNumberId: number.phoneNumberId } }] });
  });

  test('of a shared pair, the other numbers keep it until the last has gone', async () => {
    const [one, two] = [aNumber(), aNumber()];
    const shared = await aRegisteredNumber({ phoneNumbers: [one, two] });
    await detach(one);
    const rest = await api.get(`/v2/sip/phone-numbers/${two}`);
    expect(rest.body).toMatchObject({
      inbound: { id: shared.inboundGatewayId, numbers: [two] },
      outbound: { id: shared.outboundGatewayId, numbers: [two] },
    });
    await detach(two);
    expect(await gatewaysThere(shared.inboundGatewayId, shared.outboundGatewayId)).toEqual([]);
  });

  test('two numbers of a shared pair detached at the same time leave no gateway behind', async () => {
    const numbers = Array.from({ length: 6 }, aNumber);
    const shared = await aRegisteredNumber({ phoneNumbers: numbers });
    const responses = await Promise.all(numbers.map(detach));
    expect(responses.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(await gatewaysThere(shared.inboundGatewayId, shared.outboundGatewayId)).toEqual([]);
  });

  test('a gateway that was made by itself stays without numbers', async () => {
    const number = aNumber();
    const gateway = await aGateway('outbound', { numbers: [number] });
    await detach(number);
    const response = await api.get(`/v2/sip/outbound-gateways/${gateway.id}`);
    expect(response.body).toMatchObject({ id: gateway.id, numbers: [] });
  });

  test('a number without gateways is detached already, and a finished batch does not hold one', async () => {
    const number = await aCallingNumber();
    await aBatch({ status: 'completed', route: routeOf(number) });
    expect((await detach(number.e164)).status).toBe(200);
    expect((await detach(number.e164)).status).toBe(200);
  });

  test('the gateway of a call that is not over outlives the detach, and goes no later than it is deleted', async () => {
    const number = await aCallingNumber();
    await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
    expect((await detach(number.e164)).status).toBe(200);
    expect(await gatewaysThere(number.inboundGatewayId, number.outboundGatewayId)).toEqual([number.outboundGatewayId]);
    expect((await api.get(`/v2/sip/phone-numbers/${number.e164}`)).body).toMatchObject({ outbound: null });

    await rowsOf(`update calls set status = 'answered' where from_number = $1`, [number.e164]);
    expect((await api.delete(`/v2/sip/outbound-gateways/${number.outboundGatewayId}`)).status).toBe(200);
  });
});

describe('400', () => {
  test.each([
    [undefined, ['phoneNumber: is required']],
    [{ phoneNumber: null }, ['phoneNumber: is required']],
    [{ phoneNumber: '9198' }, [expect.stringMatching(/^phoneNumber: must start with \+/)]],
    [{ phoneNumber: '+919877012345', all: true }, ['all: is not a known field']],
  ])('%j is refused', async (body, errors) => {
    const response = await api.post('/v2/sip/phone-numbers/detach', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors });
  });
});

describe('404', () => {
  test('an unknown number and one of another account get the same answer, and theirs stays attached', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    for (const phoneNumber of [theirs.e164, aNumber()]) {
      const response = await api.post('/v2/sip/phone-numbers/detach', { phoneNumber });
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: 'Phone number not found' });
    }
    const after = await api.get(`/v2/sip/phone-numbers/${theirs.e164}`, { token: other.token });
    expect(after.body).toMatchObject({ outbound: { id: theirs.outboundGatewayId } });
  });
});

describe('409', () => {
  // shows: numbers.detach.409
  test.each(cancellableStatuses)('a number that a batch at status %s calls from stays attached', async (status) => {
    const number = await aCallingNumber();
    const { batchId } = await aBatch({ status, route: routeOf(number) });

    const response = await detach(number.e164);

    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(batchId) });
    const after = await api.get(`/v2/sip/phone-numbers/${number.e164}`);
    expect(after.body).toMatchObject({ outbound: { id: number.outboundGatewayId } });
  });

  // shows: numbers.detach.409
  test('detach against create: never a batch whose number has no gateway', async () => {
    const numbers = await Promise.all(Array.from({ length: 12 }, () => aCallingNumber()));
    const outcomes = await Promise.all(
      numbers.map(async ({ e164, phoneNumberId }) => {
        const [detached, created] = await Promise.all([
          detach(e164),
          send([csv(), ...fields({ name: 'Race', phoneNumber: e164 })]),
        ]);
        return { phoneNumberId, statuses: `${detached.status} ${created.status}` };
      }),
    );
    for (const { phoneNumberId, statuses } of outcomes) {
      expect(['200 400', '409 201']).toContain(statuses);
      const links = await rowsOf('select 1 from number_gateways where number_id = $1', [phoneNumberId]);
      expect(links).toHaveLength(statuses === '409 201' ? 2 : 0);
    }
  });
});
