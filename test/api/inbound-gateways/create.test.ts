import { describe, expect, test } from 'vitest';
import { secretPlaces } from '../../../domain/account/secret-places.js';
import { gatewayByDefault } from '../gateways/support.js';
import { aNumber, aRegisteredNumber, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

describe('201', () => {
  const create = (body: object, headers: Record<string, string> = {}) =>
    api.post('/v2/sip/inbound-gateways', body, { headers });

  // shows: gateway.inbound
  test('a name is enough; everything else has its default', async () => {
    const response = await create({ name: 'Reception' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^gwi_/),
      name: 'Reception',
      ...gatewayByDefault,
    });
  });

  test('every field comes back as sent, the password but sealed', async () => {
    const fields = {
      name: 'Everything',
      address: 'sip.carrier.example',
      transport: 'tcp',
      allowedAddresses: ['198.51.100.7', '198.51.100.0/24', '2001:db8::1'],
      allowedNumbers: ['+44*', '+14155550100'],
      mediaEncryption: 'enable',
      record: false,
      noiseCancellation: true,
      enableDtmf: true,
      metadata: { owner: { nothing: null } },
      tags: ['a', 'b'],
      geoRegion: 'default',
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
  test('new numbers are registered under the gateway’s name, numbers of the account are taken as they are', async () => {
    const fresh = aNumber();
    const known = await aRegisteredNumber({ name: 'Known' });
    await api.delete(`/v2/sip/inbound-gateways/${known.inboundGatewayId}`);

    const response = await create({ name: 'Reception', numbers: [known.e164, fresh] });

    expect(response.status).toBe(201);
    const { id } = response.body as { id: string };
    expect((response.body as { numbers: string[] }).numbers).toEqual([known.e164, fresh].sort());
    expect((await api.get(`/v2/sip/phone-numbers/${fresh}`)).body).toMatchObject({
      phoneNumber: { name: 'Reception', countryCode: 'IN' },
      inbound: { id },
      outbound: null,
    });
    expect((await api.get(`/v2/sip/phone-numbers/${known.e164}`)).body).toMatchObject({
      phoneNumber: { name: 'Known', phoneNumberId: known.phoneNumberId },
      inbound: { id },
      outbound: { id: known.outboundGatewayId },
    });
  });

  // shows: gateway.geo-region
  test('both names of the region may say the same', async () => {
    const response = await create({ name: 'R', sipRegion: 'default', geoRegion: 'default' });
    expect(response.status).toBe(201);
  });

  test('a second try with the same Idempotency-Key makes no second gateway', async () => {
    const headers = { 'idempotency-key': 'gateway-1' };
    const [first, again] = [await create({ name: 'Only one' }, headers), await create({ name: 'Only one' }, headers)];
    expect(again.body).toEqual(first.body);
    expect(await rowsOf(`select 1 from gateways where name = 'Only one'`)).toHaveLength(1);
  });
});

describe('400', () => {
  const stored = () => rowsOf('select id from gateways union all select id from phone_numbers order by id');

  const errorsOf = async (body: unknown): Promise<string[]> => {
    const response = await api.post('/v2/sip/inbound-gateways', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    return (response.body as { errors: string[] }).errors;
  };

  test('every problem is named at once, and nothing is stored', async () => {
    const before = await stored();
    const number = aNumber();
    const errors = await errorsOf({
      numbers: [number, 'x', number],
      address: '10.0.0.1',
      transport: 'pigeon',
      auth: { username: 'me' },
      allowedAddresses: ['198.51.100.0/33', 'example.com', '1.2.3'],
      allowedNumbers: ['*'],
      mediaEncryption: 'some',
      record: 'yes',
      enableDtmf: 1,
      metadata: [],
      tags: 'a',
      geoRegion: 'moon',
      callsPerSecond: 1,
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
      'address',
      'allowedAddresses[0]',
      'allowedAddresses[1]',
      'allowedAddresses[2]',
      'allowedNumbers[0]',
      'auth.password',
      'callsPerSecond',
      'enableDtmf',
      'geoRegion',
      'mediaEncryption',
      'metadata',
      'name',
      'numbers[1]',
      'numbers[2]',
      'record',
      'tags',
      'transport',
    ]);
    expect(await stored()).toEqual(before);
  });

  // shows: gateway.geo-region
  test('the two names of the region must not disagree', async () => {
    expect(await errorsOf({ name: 'R', sipRegion: 'auto', geoRegion: 'default' })).toEqual([
      'geoRegion: is another name for sipRegion and must not differ from it',
    ]);
  });
});

describe('409', () => {
  const create = (numbers: string[], token?: string) =>
    api.post('/v2/sip/inbound-gateways', { name: 'In', numbers }, token === undefined ? {} : { token });

  test('a number has one inbound gateway over all accounts, and the answer does not tell whose', async () => {
    const mine = await aRegisteredNumber();
    const stranger = await anAccount();

    const [own, others] = [await create([mine.e164]), await create([mine.e164], stranger.token)];

    expect([own.status, others.status]).toEqual([409, 409]);
    expect(own.body).toEqual({ message: `These numbers already have an inbound gateway: ${mine.e164}` });
    expect(others.body).toEqual(own.body);
    expect(await rowsOf('select 1 from phone_numbers where account_id = $1', [stranger.account.id])).toEqual([]);
    expect(await rowsOf('select 1 from gateways where account_id = $1', [stranger.account.id])).toEqual([]);
  });

  test('of gateways of several accounts made for one number at the same time exactly one is stored', async () => {
    const numbers = [aNumber(), aNumber()];
    const tokens = await Promise.all(Array.from({ length: 4 }, async () => (await anAccount()).token));
    const responses = await Promise.all(
      tokens.flatMap((token) => [create(numbers, token), create([...numbers].reverse(), token)]),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await rowsOf(`select 1 from number_gateways where e164 = any($1)`, [numbers])).toHaveLength(2);
  });
});
