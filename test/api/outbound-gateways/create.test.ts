import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { gatewayByDefault } from '../gateways/support.js';
import { aNumber, aRegisteredNumber, aRule, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('201', () => {
  const create = (body: object) => api.post('/v2/sip/outbound-gateways', body);

  // shows: gateway.outbound
  test('a name and an address are enough; everything else has its default, and the dialer knows it', async () => {
    const response = await create({ name: 'Trunk', address: 'sip.carrier.example' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^gwo_/),
      name: 'Trunk',
      ...gatewayByDefault,
      address: 'sip.carrier.example',
      transport: 'tls',
    });
    const { id } = response.body as { id: string };
    expect(await rowsOf('select 1 from gateway_admission where gateway_id = $1', [id])).toHaveLength(1);
  });

  // shows: gateway.no-passwords
  test('every field comes back as sent, the password but sealed', async () => {
    const fields = {
      name: 'Everything',
      address: '[2001:4860::1]:5070',
      transport: 'udp',
      allowedNumbers: ['+1*'],
      mediaEncryption: 'enable',
      noiseCancellation: true,
      enableDtmf: true,
      metadata: { owner: 'north' },
      tags: ['a'],
      geoRegion: 'default',
      maxConcurrentCalls: 10_000,
      reservedCalls: 9_999,
      callsPerSecond: 0.1,
      ringTimeoutSeconds: 75,
      maxCallSeconds: 60,
      fromHost: 'pbx.example.com',
      headers: { 'P-Asserted-Identity': '<sip:+14155550100@pbx.example.com>' },
      numberFormat: 'e164_without_plus',
    };
    const response = await create({ ...fields, auth: { username: 'me', password: 'correct horse' } });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ ...fields, sipRegion: 'default', auth: { username: 'me' } });
    expect(response.text).not.toContain('correct horse');
    const { id } = response.body as { id: string };
    const [row] = await rowsOf<{ auth_password_sealed: string }>(
      'select auth_password_sealed from gateways where id = $1',
      [id],
    );
    const place = secretPlaces.gatewayPassword(here().me.account.id, id);
    expect(here().deps.secretBox.open(row!.auth_password_sealed, place)).toBe('correct horse');
  });

  // shows: gateway.numbers
  test('a number of its own can call at once', async () => {
    const number = aNumber();
    const gateway = await create({ name: 'Trunk', address: 'sip.carrier.example', numbers: [number] });
    const ruleId = await aRule({ phoneNumbers: [number] });
    const call = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number });
    expect(call.status).toBe(201);
    expect(call.body).toMatchObject({ data: { ruleId, gatewayId: (gateway.body as { id: string }).id } });
  });
});

describe('400', () => {
  const stored = () => rowsOf('select id from gateways order by id');

  const errorsOf = async (body: unknown): Promise<string[]> => {
    const response = await api.post('/v2/sip/outbound-gateways', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    return (response.body as { errors: string[] }).errors;
  };

  const trunk = (change: object) => ({ name: 'T', address: 'sip.carrier.example', ...change });

  test('every problem is named at once, and nothing is stored', async () => {
    const before = await stored();
    const errors = await errorsOf({
      name: '',
      address: 'sip:a',
      maxConcurrentCalls: 10_001,
      callsPerSecond: 0,
      ringTimeoutSeconds: 14,
      maxCallSeconds: 86_401,
      fromHost: 'a b',
      headers: { From: 'me' },
      numberFormat: 'roman',
      allowedAddresses: ['198.51.100.0/24'],
      color: 'red',
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'address',
      'allowedAddresses',
      'callsPerSecond',
      'color',
      'fromHost',
      'headers.From',
      'maxCallSeconds',
      'maxConcurrentCalls',
      'name',
      'numberFormat',
      'ringTimeoutSeconds',
    ]);
    expect(await stored()).toEqual(before);
  });

  test('an address is required', async () => {
    expect(await errorsOf({ name: 'T' })).toEqual(['address: is required']);
  });

  test('metadata has the size of a call’s at most', async () => {
    const sized = (bytes: number) => trunk({ metadata: { note: 'x'.repeat(bytes - '{"note":""}'.length) } });
    expect(await errorsOf(sized(16_385))).toEqual(['metadata: must be at most 16384 bytes as JSON']);
    expect((await api.post('/v2/sip/outbound-gateways', sized(16_384))).status).toBe(201);
  });
});

describe('409', () => {
  const create = (numbers: string[], token?: string) =>
    api.post(
      '/v2/sip/outbound-gateways',
      { name: 'Out', address: 'sip.carrier.example', numbers },
      token === undefined ? {} : { token },
    );

  test('a number has one outbound gateway: a second names it, and nothing is stored', async () => {
    const { e164 } = await aRegisteredNumber();
    const fresh = aNumber();
    const response = await create([fresh, e164]);
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: `These numbers already have an outbound gateway: ${e164}` });
    expect(await rowsOf('select 1 from phone_numbers where e164 = $1', [fresh])).toEqual([]);
  });

  test('two accounts may call from one number', async () => {
    const { e164 } = await aRegisteredNumber();
    const other = await anAccount();
    expect((await create([e164], other.token)).status).toBe(201);
  });

  test('of gateways made for one number at the same time exactly one is stored', async () => {
    const numbers = [aNumber(), aNumber()];
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => create(index % 2 === 0 ? numbers : [...numbers].reverse())),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});
