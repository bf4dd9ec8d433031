import { expect, test } from 'vitest';
import { deactivateKeyRow } from '../../../../db/queries/accounts/keys.js';
import { signToken } from '../../../../platform/token.js';
import { anAccount, api, here } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aKey, type KeyAnswer } from '../support.js';

const url = '/v1/account/guardrails';
const set = (token: string) => api.put(url, { maxAttemptsPerNumberPerDay: 9 }, { token });
const keys = '/v1/account/keys';

test('P2-2: changing the guardrails takes a permission that `operate` does not hold', async () => {
  const writing = await aKey({ permissions: ['operate'] });
  const before = (await api.get(url)).body;
  expect(await set(writing.token)).toMatchObject({ status: 403, body: { error: expect.any(String) } });
  expect((await api.get(url, { token: writing.token })).body).toEqual(before);
  expect((await api.post('/v1/account/stop-dialing', undefined, { token: writing.token })).status).toBe(200);
  expect((await api.post('/v1/account/resume-dialing', undefined, { token: writing.token })).status).toBe(200);
  expect((await api.get('/v1/account/webhook-secret', { token: writing.token })).status).toBe(200);

  const both = await aKey({ permissions: ['operate', 'guardrails'] });
  expect((await set(both.token)).status).toBe(200);
  // A token of that key may leave it out again.
  expect((await set(await signToken(both.secret, { keyId: both.keyId, permissions: ['operate'] }))).status).toBe(403);
  // And claims nothing that its key does not have.
  expect(
    (await set(await signToken(writing.secret, { keyId: writing.keyId, permissions: ['guardrails'] }))).status,
  ).toBe(403);
});

test('P2-2: a token for the guardrails reads and changes them, and nothing else', async () => {
  const { token } = await aKey({ permissions: ['guardrails'] });
  expect((await set(token)).status).toBe(200);
  expect((await api.get(url, { token })).status).toBe(200);
  for (const status of [
    (await api.get('/v1/account', { token })).status,
    (await api.get(keys, { token })).status,
    (await api.post('/v1/account/resume-dialing', undefined, { token })).status,
    (await api.get('/v1/account/webhook-secret', { token })).status,
  ]) {
    expect(status).toBe(403);
  }
});

test('P2-2: a token makes no key that may do more than itself', async () => {
  const { token } = await aKey({ permissions: ['operate'] });
  const inherited = await api.post(keys, {}, { token });
  expect(inherited.body).toMatchObject({ permissions: ['operate'] });
  expect((await set((inherited.body as KeyAnswer).token)).status).toBe(403);
  for (const permissions of [['guardrails'], ['operate', 'guardrails']]) {
    const refused = await api.post(keys, { permissions }, { token });
    expect(refused).toMatchObject({ status: 403, body: { error: expect.stringContaining('guardrails') } });
  }
  expect((await api.post(keys, { permissions: ['read', 'playground'] }, { token })).status).toBe(201);
});

test('P2-2: the stored answer to a token that may do everything, a key, is not repeated to one that may do less', async () => {
  const { token, key, secret } = await anAccount();
  const headers = { 'idempotency-key': 'a key' };
  expect((await api.post(keys, {}, { token, headers })).status).toBe(201);
  const less = await signToken(secret, { keyId: key.id, permissions: ['operate'] });
  expect((await api.post(keys, {}, { token: less, headers })).status).toBe(422);
});

test('an account whose keys may only `operate` keeps the last of them', async () => {
  const { token, key } = await anAccount();
  const [one, other] = [
    await aKey({ permissions: ['operate'] }, { token }),
    await aKey({ permissions: ['operate'] }, { token }),
  ];
  await deactivateKeyRow(here().database.db, key.id);
  const remove = (keyId: string) => api.delete(`${keys}/${keyId}`, { token: one.token });
  expect((await remove(other.keyId)).status).toBe(200);
  expect((await remove(one.keyId)).status).toBe(409);
  expect(await rowsOf('select id from api_keys where account_id = $1 and active', [key.accountId])).toHaveLength(1);
});
