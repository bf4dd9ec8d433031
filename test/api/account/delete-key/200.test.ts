import { expect, test } from 'vitest';
import { anAccount, api } from '../../support.js';
import { rowsOf } from '../../support-resources.js';
import { aKey, keysNow } from '../support.js';

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
  expect(await rowsOf("select 1 from audit_log where target = $1 and action = 'key.delete'", [keyId])).toHaveLength(1);
});
