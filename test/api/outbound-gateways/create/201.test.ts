import { expect, test } from 'vitest';
import { secretPlaces } from '../../../../domain/account/secret-places.js';
import { api, here } from '../../support.js';
import { aNumber, aRule, rowsOf } from '../../support-resources.js';

const create = (body: object) => api.post('/v2/sip/outbound-gateways', body);
const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);

// shows: gateway.outbound
test('a name and an address are enough; everything else has its default, and the dialer knows it', async () => {
  const response = await create({ name: 'Trunk', address: 'sip.carrier.example' });
  expect(response.status).toBe(201);
  expect(response.body).toEqual({
    id: expect.stringMatching(/^gwo_/),
    name: 'Trunk',
    sipRegion: 'auto',
    geoRegion: 'auto',
    numbers: [],
    address: 'sip.carrier.example',
    transport: 'tls',
    mediaEncryption: 'disable',
    maxConcurrentCalls: 50,
    callsPerSecond: 1,
    ringTimeoutSeconds: 45,
    maxCallSeconds: 3600,
    headers: {},
    numberFormat: 'e164',
    allowedAddresses: [],
    allowedNumbers: [],
    record: false,
    noiseCancellation: false,
    enableDtmf: false,
    metadata: {},
    tags: [],
    createdAt: time,
    updatedAt: time,
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
