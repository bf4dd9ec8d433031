import { describe, expect, test } from 'vitest';
import { aKey, keysNow } from '../account/support.js';
import { rowsOf } from '../support-resources.js';
import { anAccount, api } from '../support.js';

describe('200', () => {
  const statusWith = async (token: string) => (await api.get('/v1/account', { token })).status;

  // shows: account.keys
  test('every token of a deleted key is refused from then on, those of the others are not', async () => {
    const { token, key } = await anAccount();
    const second = await aKey({}, { token });
    expect(await statusWith(second.token)).toBe(200);

    const response = await api.delete(`/v1/account/keys/${second.keyId}`, { token });

    expect(response).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await statusWith(second.token)).toBe(401);
    expect(await statusWith(token)).toBe(200);
    const entries = await rowsOf("select key_id from audit_log where target = $1 and action = 'key.delete'", [
      second.keyId,
    ]);
    expect(entries).toEqual([{ key_id: key.id }]);
  });

  test('a key may delete itself where another may do everything', async () => {
    const { token } = await anAccount();
    const second = await aKey({}, { token });
    expect((await api.delete(`/v1/account/keys/${second.keyId}`, { token: second.token })).status).toBe(200);
    expect(await statusWith(second.token)).toBe(401);
  });

  test('deleting it again changes nothing', async () => {
    const { token } = await anAccount();
    const { keyId } = await aKey({}, { token });
    await api.delete(`/v1/account/keys/${keyId}`, { token });
    const before = await keysNow({ token });
    expect((await api.delete(`/v1/account/keys/${keyId}`, { token })).status).toBe(200);
    expect(await keysNow({ token })).toEqual(before);
    expect(await rowsOf("select 1 from audit_log where target = $1 and action = 'key.delete'", [keyId])).toHaveLength(
      1,
    );
  });
});

describe('404', () => {
  test("another account's key is not found, in the words of one that never was, and goes on working", async () => {
    const { key, token } = await anAccount();
    const theirs = await api.delete(`/v1/account/keys/${key.id}`);
    const unknown = await api.delete('/v1/account/keys/key_01990000-0000-7000-8000-000000000000');
    expect(theirs).toMatchObject({ status: 404, body: { error: 'Key not found' } });
    expect(unknown.text).toBe(theirs.text);
    expect((await api.get('/v1/account', { token })).status).toBe(200);
  });
});

describe('409', () => {
  const remove = (keyId: string, token: string) => api.delete(`/v1/account/keys/${keyId}`, { token });

  // shows: account.last-key
  test('the last active key cannot delete itself, and goes on working', async () => {
    const { token, key } = await anAccount();
    const second = await aKey({}, { token });
    await remove(second.keyId, token);

    expect(await remove(key.id, token)).toMatchObject({ status: 409, body: { error: expect.any(String) } });
    expect((await api.get('/v1/account', { token })).status).toBe(200);
  });

  test('a key that may only read does not count, because it could not make another', async () => {
    const { token, key } = await anAccount();
    const reading = await aKey({ permissions: ['read'] }, { token });
    expect((await remove(key.id, token)).status).toBe(409);
    expect((await remove(reading.keyId, token)).status).toBe(200);
  });

  test.each(Array.from({ length: 8 }, (_, round) => round))(
    'two keys that delete each other, or themselves, at once leave one (%i)',
    async (round) => {
      const one = await anAccount();
      const other = await aKey({}, { token: one.token });
      const pairs = round % 2 === 0 ? [other.keyId, one.key.id] : [one.key.id, other.keyId];

      const answers = await Promise.all([remove(pairs[0]!, one.token), remove(pairs[1]!, other.token)]);

      const statuses = answers.map(({ status }) => status).sort();
      // If the first was done before the second had shown its token, the second is refused for that.
      expect([
        [200, 409],
        [200, 401],
      ]).toContainEqual(statuses);
      expect(await rowsOf('select id from api_keys where account_id = $1 and active', [one.account.id])).toHaveLength(
        1,
      );
    },
  );
});
