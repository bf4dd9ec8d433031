import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aNumber, numbersBody, rowsOf } from '../../support-resources.js';

const create = (body: unknown) => api.post('/v2/sip/phone-numbers', body);
const errorsOf = (response: { body: unknown }) => (response.body as { errors: string[] }).errors;

// shows: numbers.e164, numbers.media-encryption, numbers.errors, numbers.required
test('every problem is named at once, and nothing is stored', async () => {
  const before = await rowsOf<{ count: string }>('select count(*) from phone_numbers');
  const number = aNumber();
  const response = await create({
    phoneNumbers: [number, '9876543210', number, '+12'],
    isShared: 'yes',
    mediaEncryption: 'sometimes',
    inbound: { sipRegion: 'mars', color: 'red' },
    outbound: { address: 'https://sip.example.com', sipRegion: 'moon', transport: 'pigeon', auth: { username: '' } },
    extra: 1,
  });

  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String), errors: expect.any(Array) });
  const errors = errorsOf(response);
  for (const path of [
    'name: is required',
    'phoneNumbers[1]: ',
    'phoneNumbers[2]: is the same as phoneNumbers[0]',
    'phoneNumbers[3]: ',
    'isShared: must be a boolean',
    'mediaEncryption: must be one of: enable, disable',
    'inbound.sipRegion: must be one of: auto, default',
    'inbound.color: is not a known field',
    'outbound.address: must be host or host:port',
    'outbound.sipRegion: must be one of: auto, default',
    'outbound.transport: must be one of: udp, tcp, tls',
    'outbound.auth.username: must not be empty',
    'outbound.auth.password: is required',
    'extra: is not a known field',
  ]) {
    expect(errors).toContainEqual(expect.stringContaining(path));
  }
  expect(errors).toHaveLength(14);
  expect(await rowsOf('select count(*) from phone_numbers')).toEqual(before);
});

test.each([
  ['an empty body', undefined, ['name', 'outbound', 'phoneNumbers']],
  ['no numbers', numbersBody({ phoneNumbers: [] }), ['phoneNumbers']],
  ['101 numbers', numbersBody({ phoneNumbers: Array.from({ length: 101 }, aNumber) }), ['phoneNumbers']],
  ['a name of 257 characters', numbersBody({ name: 'x'.repeat(257) }), ['name']],
  ['a NUL in a text', numbersBody({ name: 'a\0b' }), ['name']],
  ['half a surrogate pair', numbersBody({ name: 'a\ud800b' }), ['name']],
  ['a list where an object belongs', [], ['body']],
])('%s is refused', async (_case, body, paths) => {
  const response = await create(body);
  expect(response.status).toBe(400);
  expect(errorsOf(response).map((line) => line.split(':')[0])).toEqual(paths);
});

// shows: numbers.address
test.each([
  'http://sip.example.com',
  'sip:sip.example.com',
  'me@sip.example.com',
  'sip.example.com:0',
  'sip.example.com:65536',
  'sip.example.com/path',
  'sip example.com',
  '2001:db8::1',
  'localhost',
  'sip.localhost:5060',
  '127.0.0.1',
  '127.1:5060',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1:5061',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '[::1]:5060',
  '[::ffff:10.0.0.1]',
  '[fd00::1]',
  '[fe80::1]',
])('%s is no address of a trunk', async (address) => {
  const response = await create(numbersBody({ outbound: { address } }));
  expect(response.status).toBe(400);
  expect(errorsOf(response)).toEqual([expect.stringMatching(/^outbound\.address: must /)]);
});

// shows: numbers.all-or-nothing, numbers.taken
test('a number that already has gateways is named, and the others are not registered', async () => {
  const [taken, free] = [aNumber(), aNumber()];
  expect((await create(numbersBody({ phoneNumbers: [taken] }))).status).toBe(201);

  const response = await create(numbersBody({ phoneNumbers: [free, taken] }));

  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.stringContaining(taken) });
  expect(response.text).not.toContain(free);
  expect(await rowsOf('select 1 from phone_numbers where e164 = $1', [free])).toEqual([]);
});

test('malformed JSON is a problem of the body', async () => {
  const response = await create('{"name": ');
  expect(response.status).toBe(400);
  expect(response.body).toEqual({
    message: expect.any(String),
    errors: ['body: is not valid JSON (line 1, column 10: the text ends there)'],
  });
});

// shows: idempotency.bad-key
test('an Idempotency-Key that cannot be one is refused', async () => {
  const headers = { 'idempotency-key': 'x'.repeat(256) };
  const response = await api.post('/v2/sip/phone-numbers', numbersBody(), { headers });
  expect(response.status).toBe(400);
  expect(errorsOf(response)).toEqual([expect.stringContaining('Idempotency-Key')]);
});
