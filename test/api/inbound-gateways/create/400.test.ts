import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aNumber, rowsOf } from '../../support-resources.js';

const errorsOf = async (body: unknown): Promise<string[]> => {
  const response = await api.post('/v2/sip/inbound-gateways', body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
  return (response.body as { errors: string[] }).errors;
};

test('every problem is named at once, and nothing is stored', async () => {
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
  expect(await rowsOf('select 1 from gateways')).toEqual([]);
  expect(await rowsOf('select 1 from phone_numbers')).toEqual([]);
});

// shows: gateway.geo-region
test('the two names of the region must not disagree', async () => {
  expect(await errorsOf({ name: 'R', sipRegion: 'auto', geoRegion: 'default' })).toEqual([
    'geoRegion: is another name for sipRegion and must not differ from it',
  ]);
});
