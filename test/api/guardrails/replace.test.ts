import { describe, expect, test } from 'vitest';
import { deactivateKeyRow } from '../../../db/queries/accounts/keys.js';
import { signToken } from '../../../platform/token.js';
import { aKey, type KeyAnswer } from '../account/support.js';
import { aCallingNumber, rowsOf } from '../support-resources.js';
import { anAccount, api, here } from '../support.js';

const url = '/v1/account/guardrails';

describe('200', () => {
  const asked = {
    callingHours: { from: '09:00', until: '20:00' },
    maxAttemptsPerNumberPerDay: 3,
    allowedCountries: ['US', 'IN', 'US'],
    disclosure: 'This call is made by an artificial voice.',
  };

  // shows: guardrails.get-put
  test('an account that has set nothing is told the defaults, and the countries of its numbers', async () => {
    const { token } = await anAccount('Fresh');
    expect((await api.get(url, { token })).body).toEqual({
      countriesInForce: [],
      refusePremiumRate: true,
      refuseSatellite: true,
      dialingStopped: false,
    });
    await aCallingNumber();
    expect((await api.get(url)).body).toMatchObject({ countriesInForce: ['IN'] });
  });

  // shows: guardrails.get-put
  test('what is put is what is got, and a field left out goes back to its default', async () => {
    await aCallingNumber(); // from IN
    const put = await api.put(url, asked);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({
      ...asked,
      callingHours: { from: '09:00', until: '20:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] },
      allowedCountries: ['IN', 'US'],
      countriesInForce: ['IN', 'US'],
      refusePremiumRate: true,
    });
    expect((await api.get(url)).body).toEqual(put.body);

    const after = await api.put(url, { refuseSatellite: false });
    expect(after.body).toMatchObject({ refuseSatellite: false, countriesInForce: ['IN'] });
    expect(after.body).not.toHaveProperty('callingHours');
    expect(after.body).not.toHaveProperty('disclosure');
  });

  test('what was got can be changed and put back as it is', async () => {
    const { body } = await api.get(url);
    const put = await api.put(url, { ...(body as object), maxAttemptsPerNumberPerDay: 5 });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ maxAttemptsPerNumberPerDay: 5 });
  });

  test('each change is in the audit log and gets a revision of its own', async () => {
    const before = await rowsOf<{ revision: string }>('select revision from guardrails where account_id = $1', [
      here().me.account.id,
    ]);
    await api.put(url, {});
    const after = await rowsOf<{ revision: string }>('select revision from guardrails where account_id = $1', [
      here().me.account.id,
    ]);
    expect(Number(after[0]?.revision)).toBe(Number(before[0]?.revision ?? 0) + 1);
    const log = await rowsOf("select 1 from audit_log where action = 'guardrails.update'");
    expect(log.length).toBeGreaterThan(0);
  });
});

describe('400', () => {
  test('everything that is wrong is named at once, and nothing is changed', async () => {
    const before = (await api.get(url)).body;
    const response = await api.put(url, {
      callingHours: { from: '9am', until: '20:00', daysOfWeek: [0] },
      maxAttemptsPerNumberPerDay: 0,
      allowedCountries: ['XX'],
      disclosure: '',
      speed: 1,
    });
    expect(response.status).toBe(400);
    const { errors } = response.body as { errors: string[] };
    expect(errors.map((line) => line.split(':')[0])).toEqual([
      'allowedCountries[0]',
      'callingHours.daysOfWeek[0]',
      'callingHours.from',
      'disclosure',
      'maxAttemptsPerNumberPerDay',
      'speed',
    ]);
    expect((await api.get(url)).body).toEqual(before);
  });

  // shows: guardrails.hours
  test('hours that could mean never or always are refused', async () => {
    const response = await api.put(url, { callingHours: { from: '09:00', until: '09:00' } });
    expect(response.status).toBe(400);
    expect(response.text).toContain('callingHours.until: must differ from callingHours.from');
  });

  test('a read-only field that was changed is refused', async () => {
    const response = await api.put(url, { dialingStopped: true });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ errors: ['dialingStopped: cannot be changed'] });
  });
});

describe('403', () => {
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
});
