import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';

const errorsOf = async (body: unknown): Promise<string[]> => {
  const response = await api.post('/v2/sip/outbound-gateways', body);
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
  return (response.body as { errors: string[] }).errors;
};
const trunk = (change: object) => ({ name: 'T', address: 'sip.carrier.example', ...change });

test('every problem is named at once, and nothing is stored', async () => {
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
  expect(await rowsOf('select 1 from gateways')).toEqual([]);
});

test('an address is required', async () => {
  expect(await errorsOf({ name: 'T' })).toEqual(['address: is required']);
});

test('metadata has the size of a call’s at most', async () => {
  const sized = (bytes: number) => trunk({ metadata: { note: 'x'.repeat(bytes - '{"note":""}'.length) } });
  expect(await errorsOf(sized(16_385))).toEqual(['metadata: must be at most 16384 bytes as JSON']);
  expect((await api.post('/v2/sip/outbound-gateways', sized(16_384))).status).toBe(201);
});
