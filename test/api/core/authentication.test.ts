import { expect, test } from 'vitest';
import { createKey, deactivateKey, issueToken } from '../../../api/account/keys.js';
import { signToken } from '../../../platform/token.js';
import { anotherApp, api, here } from '../support.js';
import { rowsOf } from '../support-resources.js';

const statusWith = async (token: string | null, url = '/v1/account') => (await api.get(url, { token })).status;

test.each(['/v1/account', '/v2/sip/phone-numbers', '/v2/sip/call/call_x', '/v1/batch-calls', '/v1/agents'])(
  '%s without a token is 401 with the body of every 401',
  async (url) => {
    const response = await api.get(url, { token: null });
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ error: expect.any(String) });
  },
);

// shows: auth.raw
test('a Bearer prefix is refused in words that help', async () => {
  const response = await api.get('/v2/sip/call/x', { token: `Bearer ${here().me.token}` });
  expect(response.status).toBe(401);
  expect(response.body).toEqual({ error: expect.stringContaining('raw') });
});

test('nothing of the body is read before the token is judged', async () => {
  const response = await api.post('/v2/sip/call', '{"broken', { token: 'x' });
  expect(response.status).toBe(401);
});

// shows: token.deactivated
test('a deactivated key stops working at once, the others go on', async () => {
  const { database, deps, me } = here();
  const { key, token } = await createKey(database.db, deps.secretBox, me.account.id, 'Second');
  expect(await statusWith(token)).toBe(200);
  await deactivateKey(database.db, key.id);
  expect(await statusWith(token)).toBe(401);
  expect(await statusWith(me.token)).toBe(200);
  await expect(deactivateKey(database.db, key.id)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(issueToken(database.db, deps.secretBox, key.id)).rejects.toMatchObject({ kind: 'not_found' });
});

// shows: token.expired
test('a token lives as long as it says', async () => {
  const { database, deps, me } = here();
  const token = await issueToken(database.db, deps.secretBox, me.key.id, { ttlSeconds: 60 });
  expect(await statusWith(token)).toBe(200);
  const later = await anotherApp({ clock: () => new Date(Date.now() + 61_000) });
  const response = await api.get('/v1/account', { token, app: later });
  expect(response.status).toBe(401);
  expect(response.body).toEqual({ error: expect.stringContaining('expired') });
});

test('a read token reads and changes nothing', async () => {
  const { database, deps, me } = here();
  const token = await issueToken(database.db, deps.secretBox, me.key.id, { permissions: ['read'] });
  expect(await statusWith(token)).toBe(200);
  const response = await api.post('/v2/sip/phone-numbers', {}, { token });
  expect(response.status).toBe(403);
  expect(response.body).toEqual({ error: expect.any(String) });
});

test.each([[['playground']], [[]], [['everything']]])('permissions %j allow nothing here', async (permissions) => {
  const { me } = here();
  const token = await signToken(me.secret, { keyId: me.key.id, permissions });
  expect(await statusWith(token)).toBe(403);
});

test('when a key was last used is stored in the end, not with every request', async () => {
  const { me } = here();
  const lastUsed = async () => {
    const [row] = await rowsOf<{ last_used_at: Date | null }>('select last_used_at from api_keys where id = $1', [
      me.key.id,
    ]);
    return row?.last_used_at ?? null;
  };
  const app = await anotherApp({ clock: () => new Date('2031-01-01T00:00:00Z') });
  await api.get('/v1/account', { app });
  expect((await lastUsed())?.getFullYear()).not.toBe(2031);
  await app.close();
  expect((await lastUsed())?.toISOString()).toBe('2031-01-01T00:00:00.000Z');
});
