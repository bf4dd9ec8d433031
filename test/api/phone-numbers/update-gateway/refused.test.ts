import { describe, expect, test } from 'vitest';
import { aBatch } from '../../batch-calls/support.js';
import { aCallingNumber, aNumber, aRegisteredNumber, routeOf } from '../../support-resources.js';
import { anAccount, api } from '../../support.js';

describe('400', () => {
  const errorsOf = async (gatewayId: string, body: unknown): Promise<string[]> => {
    const response = await api.patch(`/v2/sip/phone-numbers/gateways/${gatewayId}`, body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    return (response.body as { errors: string[] }).errors;
  };

  test('every problem is named at once, and nothing is changed', async () => {
    const { outboundGatewayId, e164 } = await aRegisteredNumber();
    const before = await api.get(`/v2/sip/phone-numbers/${e164}`);
    const errors = await errorsOf(outboundGatewayId, {
      name: null,
      address: 'http://a',
      transport: 'pigeon',
      auth: { username: '', password: '' },
      mediaEncryption: 'some',
      sipRegion: 'mars',
      geoRegion: 'moon',
      maxConcurrentCalls: 0,
      callsPerSecond: 0.05,
      ringTimeoutSeconds: 76,
      maxCallSeconds: 0,
      fromHost: 'a:1',
      headers: { Contact: 'me', 'X-Bad': 'two\r\nlines' },
      numberFormat: 'roman',
      allowedAddresses: ['nowhere'],
      allowedNumbers: ['91*'],
      record: 'yes',
      tags: [''],
      color: 'red',
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'address',
      'allowedAddresses[0]',
      'allowedNumbers[0]',
      'auth.password',
      'auth.username',
      'callsPerSecond',
      'color',
      'fromHost',
      'geoRegion',
      'headers.Contact',
      'headers.X-Bad',
      'maxCallSeconds',
      'maxConcurrentCalls',
      'mediaEncryption',
      'name',
      'numberFormat',
      'record',
      'ringTimeoutSeconds',
      'sipRegion',
      'tags[0]',
      'transport',
    ]);
    expect((await api.get(`/v2/sip/phone-numbers/${e164}`)).body).toEqual(before.body);
  });

  // shows: gateway.limits
  test.each([
    ['maxConcurrentCalls', 10_001],
    ['maxConcurrentCalls', 1.5],
    ['maxConcurrentCalls', '5'],
    ['callsPerSecond', 200.1],
    ['callsPerSecond', '1'],
    ['ringTimeoutSeconds', 14],
    ['maxCallSeconds', 86_401],
    ['address', '127.0.0.1'],
    ['address', null],
  ])('%s cannot be %j', async (field, value) => {
    const { outboundGatewayId } = await aRegisteredNumber();
    expect(await errorsOf(outboundGatewayId, { [field]: value })).toEqual([expect.stringMatching(`^${field}: `)]);
  });

  test('what cannot be changed is refused when it would be', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    expect(
      await errorsOf(outboundGatewayId, { id: 'gwo_0', createdAt: '2020-01-01T00:00:00.000Z', updatedAt: 'now' }),
    ).toEqual(['createdAt: cannot be changed', 'id: cannot be changed', 'updatedAt: cannot be changed']);
  });

  test('another user name needs its password, and the two names of the region must not disagree', async () => {
    const { outboundGatewayId } = await aRegisteredNumber();
    expect(await errorsOf(outboundGatewayId, { auth: { username: 'new' } })).toEqual([
      'auth.password: is required with another user name',
    ]);
    await api.patch(`/v2/sip/phone-numbers/gateways/${outboundGatewayId}`, { sipRegion: 'default' });
    expect(await errorsOf(outboundGatewayId, { sipRegion: 'auto', geoRegion: 'nowhere' })).toEqual([
      'geoRegion: must be one of: auto, default',
    ]);
  });

  test('what belongs to the other direction is refused', async () => {
    const { inboundGatewayId, outboundGatewayId } = await aRegisteredNumber();
    expect(await errorsOf(inboundGatewayId, { callsPerSecond: 5, fromHost: 'a.example' })).toEqual([
      'callsPerSecond: is for outbound gateways only',
      'fromHost: is for outbound gateways only',
    ]);
    expect(await errorsOf(outboundGatewayId, { allowedAddresses: ['198.51.100.0/24'] })).toEqual([
      'allowedAddresses: is for inbound gateways only',
    ]);
  });
});

describe('404', () => {
  test('an unknown gateway and one of another account get the same answer, and theirs stays as it is', async () => {
    const other = await anAccount();
    const theirs = await aRegisteredNumber({}, { token: other.token });
    for (const id of [theirs.outboundGatewayId, theirs.inboundGatewayId, 'gwo_0', theirs.phoneNumberId]) {
      const response = await api.patch(`/v2/sip/phone-numbers/gateways/${id}`, { name: 'Mine' });
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ message: 'Gateway not found' });
    }
    const after = await api.get(`/v2/sip/phone-numbers/${theirs.e164}`, { token: other.token });
    expect(after.body).toMatchObject({ outbound: { name: 'Reminders' } });
  });
});

describe('409', () => {
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
});
