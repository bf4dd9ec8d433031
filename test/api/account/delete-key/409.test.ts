import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aKey } from '../support.js';

const remove = (keyId: string, token: string) => api.delete(`/v1/account/keys/${keyId}`, { token });
// shows: account.last-key
test('the last active key cannot delete itself, and goes on working', async () => {
  const { token, key } = await anAccount();
  const second = await aKey({}, { token });
  await remove(second.keyId, token);

  expect(await remove(key.id, token)).toMatchObject({ status: 409, body: { error: expect.any(String) } });
  expect((await api.get('/v1/account', { token })).status).toBe(200);
});

test('a key that may only read does not count: nobody could make another with it', async () => {
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
    // Where the first was done before the second had shown its token, the second is refused for that.
    expect([
      [200, 409],
      [200, 401],
    ]).toContainEqual(statuses);
    expect(await rowsOf('select id from api_keys where account_id = $1 and active', [one.account.id])).toHaveLength(1);
  },
);
