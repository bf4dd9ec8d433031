import { describe, expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { aKey, keysNow } from '../account/support.js';
import { rowsOf } from '../support-resources.js';
import { api, here } from '../support.js';

describe('201', () => {
  const asks = (token: string) => api.get('/v1/account', { token });

  // shows: account.keys
  test('secret and token are shown once, and both work at once', async () => {
    const response = await api.post('/v1/account/keys', { name: 'CI' });

    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      keyId: expect.stringMatching(/^key_/),
      name: 'CI',
      active: true,
      createdAt: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(/^sk_/),
      token: expect.any(String),
    });
    const { keyId, secret, token } = response.body as { keyId: string; secret: string; token: string };
    expect((await asks(token)).status).toBe(200);
    expect((await asks(await signToken(secret, { keyId }))).body).toMatchObject({ accountId: here().me.account.id });
    expect((await api.get('/v1/account/keys')).text).not.toContain(secret);
    const [row] = await rowsOf<{ secret_sealed: string }>('select secret_sealed from api_keys where id = $1', [keyId]);
    expect(row?.secret_sealed).not.toContain(secret);
  });

  test.each([[undefined], [{}], [{ name: null, permissions: null }]])(
    '%j is a key for everything, without a name',
    async (body) => {
      const response = await api.post('/v1/account/keys', body);
      expect(response).toMatchObject({ status: 201, body: { name: '' } });
      expect(response.body).not.toHaveProperty('permissions');
    },
  );

  test('it is written down who made it, without the secret', async () => {
    const { keyId, secret } = await aKey({ name: 'Audited', permissions: ['read'] });
    const entries = await rowsOf('select key_id, action, details from audit_log where target = $1', [keyId]);
    expect(entries).toEqual([
      { key_id: here().me.key.id, action: 'key.create', details: { name: 'Audited', permissions: ['read'] } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  test('a key for reading signs no token that changes anything, whatever the token claims', async () => {
    const { keyId, secret, token, permissions } = await aKey({ permissions: ['read'] });
    expect(permissions).toEqual(['read']);
    const claims = [
      token,
      await signToken(secret, { keyId }),
      await signToken(secret, { keyId, permissions: ['read', 'playground', 'everything'] }),
    ];
    for (const each of claims) {
      expect((await asks(each)).status).toBe(200);
      const refused = await api.post('/v1/account/keys', {}, { token: each });
      expect(refused).toMatchObject({ status: 403, body: { error: expect.any(String) } });
    }
    const less = await signToken(secret, { keyId, permissions: ['playground'] });
    expect((await asks(less)).status).toBe(403);
  });

  // shows: idempotency.every-create
  test('the same Idempotency-Key makes one key and shows it again', async () => {
    const headers = { 'idempotency-key': 'one key' };
    const before = await keysNow();
    const [first, again] = [
      await api.post('/v1/account/keys', { name: 'x' }, { headers }),
      await api.post('/v1/account/keys', { name: 'x' }, { headers }),
    ];
    expect(again).toMatchObject({
      status: 201,
      body: first.body as object,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await keysNow()).toHaveLength(before.length + 1);
  });
});

describe('400', () => {
  test.each([
    [{ name: 'x'.repeat(257) }, /^name: /],
    [{ name: 7 }, /^name: /],
    [{ permissions: [] }, /^permissions: /],
    [{ permissions: 'read' }, /^permissions: /],
    [{ permissions: ['write'] }, /^permissions\[0\]: .*read, playground/],
    [{ permissions: ['read', 'read'] }, /^permissions: .*twice/],
    [{ permission: ['read'] }, /^permission: /],
  ])('%j makes no key, and the answer names what is wrong', async (body, problem) => {
    const before = await keysNow();
    const response = await api.post('/v1/account/keys', body);
    expect(response.status).toBe(400);
    expect(response.body).toEqual({ error: expect.any(String), errors: [expect.stringMatching(problem)] });
    expect(await keysNow()).toEqual(before);
  });

  test('a name of 256 characters is taken', async () => {
    expect((await api.post('/v1/account/keys', { name: 'x'.repeat(256) })).status).toBe(201);
  });
});

describe('409', () => {
  test('of requests with one key at the same time, one is done and the others are told so', async () => {
    const headers = { 'idempotency-key': 'at the same time' };

    const answers = await Promise.all(Array.from({ length: 4 }, () => api.post('/v1/account/keys', {}, { headers })));

    const done = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect(done.length + refused.length).toBe(4);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { body } of refused) expect(body).toEqual({ error: expect.any(String) });
  });
});

describe('422', () => {
  test('an Idempotency-Key that made one key does not make another', async () => {
    const headers = { 'idempotency-key': 'one' };
    await api.post('/v1/account/keys', { name: 'One' }, { headers });
    const response = await api.post('/v1/account/keys', { name: 'Two' }, { headers });
    expect(response).toMatchObject({ status: 422, body: { error: expect.any(String) } });
  });

  test('a token that expires gets no key back that a request with its Idempotency-Key made and that lasts longer', async () => {
    const { secret, key } = here().me;
    const expiring = (ttlSeconds: number) => signToken(secret, { keyId: key.id, ttlSeconds });
    const [hour, day] = [await expiring(3_600), await expiring(86_400)];
    const post = (token: string | undefined, name: string) =>
      api.post('/v1/account/keys', { name }, { headers: { 'idempotency-key': name }, ...(token && { token }) });
    expect(await post(undefined, 'lasting')).toMatchObject({ status: 201 });
    expect(await post(hour, 'lasting')).toMatchObject({ status: 422, body: { error: expect.any(String) } });
    const ofDay = await post(day, 'of a day');
    expect(await post(hour, 'of a day')).toMatchObject({ status: 422 });
    for (const token of [day, undefined])
      expect(await post(token, 'of a day')).toMatchObject({ status: 201, body: ofDay.body as object });
  });
});
