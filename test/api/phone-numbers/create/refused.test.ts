import { describe, expect, test, vi } from 'vitest';
import { soon } from '../../../setup/soon.js';
import { aNumber, aRegisteredNumber, numbersBody, rowsOf } from '../../support-resources.js';
import { anAccount, api, here } from '../../support.js';
import { lockWaits } from '../../../setup/lock-waits.js';

describe('400', () => {
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
});

describe('409', () => {
  /** Waits until a statement of this file's database waits for a lock. */
  const aStatementWaits = () =>
    vi.waitFor(async () => {
      if ((await lockWaits(here().database.pool)) === 0) throw new Error('nothing waits yet');
    }, soon);

  // shows: numbers.concurrent, errors.numbers
  test('a number that a concurrent request attaches first is a conflict that says to retry', async () => {
    const e164 = aNumber();
    await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
    const [link] = await rowsOf<Record<string, string>>('delete from number_gateways where e164 = $1 returning *', [
      e164,
    ]);
    const rival = await here().database.pool.connect();
    try {
      await rival.query('begin');
      await rival.query('select 1 from phone_numbers where e164 = $1 for update', [e164]);
      const racing = api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
      await aStatementWaits();
      await rival.query(
        'insert into number_gateways (number_id, direction, gateway_id, account_id, e164) values ($1, $2, $3, $4, $5)',
        [link!.number_id, link!.direction, link!.gateway_id, link!.account_id, e164],
      );
      await rival.query('commit');

      const response = await racing;
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ message: expect.stringMatching(/concurrently.*[Rr]etry/) });
    } finally {
      rival.release();
    }
  });

  // shows: numbers.race
  test('two accounts that register one number at the same time: one wins, the other hears of a conflict', async () => {
    const e164 = aNumber();
    const other = await anAccount();
    const theirs = await aRegisteredNumber({ phoneNumbers: [e164] }, { token: other.token });
    await rowsOf('delete from number_gateways where e164 = $1', [e164]);
    const rival = await here().database.pool.connect();
    try {
      await rival.query('begin');
      await rival.query(
        `insert into number_gateways (number_id, direction, gateway_id, account_id, e164) values ($1, 'inbound', $2, $3, $4)`,
        [theirs.phoneNumberId, theirs.inboundGatewayId, other.account.id, e164],
      );
      const racing = api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));
      await aStatementWaits();
      await rival.query('commit');

      const response = await racing;
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ message: expect.stringMatching(/concurrently.*[Rr]etry/) });
      expect(await rowsOf('select 1 from phone_numbers where e164 = $1', [e164])).toHaveLength(1);
    } finally {
      rival.release();
    }
  });

  // shows: numbers.concurrent, numbers.race
  test('of many requests for one number at the same time exactly one wins', async () => {
    const body = numbersBody({ phoneNumbers: [aNumber(), aNumber()] });
    const responses = await Promise.all(Array.from({ length: 6 }, () => api.post('/v2/sip/phone-numbers', body)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(201);
    expect(statuses.slice(1).every((status) => status === 400 || status === 409)).toBe(true);
    expect(await rowsOf('select 1 from number_gateways where e164 = $1', [body.phoneNumbers[0]])).toHaveLength(2);
  });

  test('a number that another account receives calls on is a conflict, in words that name only the number', async () => {
    const e164 = aNumber();
    const other = await anAccount();
    await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }), { token: other.token });

    const response = await api.post('/v2/sip/phone-numbers', numbersBody({ phoneNumbers: [e164] }));

    expect(response.status).toBe(409);
    expect(response.body).toEqual({ message: expect.stringContaining(e164) });
    expect(response.text).not.toContain(other.account.id);
  });

  // shows: idempotency.in-flight
  test('a second try while the first one still runs is told so', async () => {
    const { pool } = here().database;
    const holder = await pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${here().me.key.id} in-flight`]);
      const response = await api.post('/v2/sip/phone-numbers', numbersBody(), {
        headers: { 'idempotency-key': 'in-flight' },
      });
      expect(response.status).toBe(409);
      expect(response.body).toEqual({ message: expect.stringContaining('still running') });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
});

describe('422', () => {
  const create = (body: object, key: string) =>
    api.post('/v2/sip/phone-numbers', body, { headers: { 'idempotency-key': key } });

  // shows: everywhere.422
  test('a key that was used with other content is refused, and changes nothing', async () => {
    await create(numbersBody(), 'once');
    const other = numbersBody();

    const response = await create(other, 'once');

    expect(response.status).toBe(422);
    expect(response.body).toEqual({ message: expect.stringContaining('another request') });
    expect(await rowsOf('select 1 from phone_numbers where e164 = $1', other.phoneNumbers)).toEqual([]);
  });

  // shows: idempotency.content
  test('the order of fields and a default spelled out do not make it other content', async () => {
    const body = numbersBody();
    const first = await create(body, 'reordered');
    const reordered = Object.fromEntries(Object.entries({ ...body, isShared: true }).reverse());
    const again = await create(reordered, 'reordered');
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
  });

  // shows: idempotency.refusal
  test('a refusal is not kept: the key may be used again with what is right', async () => {
    expect((await create(numbersBody({ name: '' }), 'corrected')).status).toBe(400);
    const taken = numbersBody();
    await create(taken, 'taken');
    expect((await create(taken, 'corrected')).status).toBe(400);
    expect((await create(numbersBody(), 'corrected')).status).toBe(201);
  });

  // shows: idempotency.24h
  test('after 24 hours a key is new', async () => {
    await create(numbersBody(), 'old');
    await rowsOf(
      `update idempotency_keys set created_at = now() - interval '24 hours 1 second' where idempotency_key = 'old'`,
    );
    const response = await create(numbersBody(), 'old');
    expect(response.status).toBe(201);
    expect(response.headers['idempotent-replayed']).toBeUndefined();
  });

  // shows: idempotency.sealed
  test('stored answers are sealed', async () => {
    const body = numbersBody({ name: 'Readable name' });
    await create(body, 'sealed');
    const rows = await rowsOf<{ response_sealed: string }>('select response_sealed from idempotency_keys');
    expect(rows.every((row) => !row.response_sealed.includes('Readable'))).toBe(true);
    expect(rows.length).toBeGreaterThan(0);
  });
});
