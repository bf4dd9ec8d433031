import { base64url } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueToken } from '../../../api/account/keys.js';
import { signToken } from '../../../platform/token.js';
import { aKey } from '../account/support.js';
import { anAccount, anotherApp, api, here } from '../support.js';

const revoke = (token: string) => api.post('/v1/account/tokens/revoke', { token });

describe('200', () => {
  const statusWith = async (token: string) => (await api.get('/v1/account', { token })).status;

  const aToken = (ttlSeconds = 3_600) =>
    issueToken(here().database.db, here().deps.secretBox, here().me.key.id, { ttlSeconds });

  test('security P3-7: a token that was revoked is refused at once; others of its key go on', async () => {
    const [one, other] = [await aToken(3_600), await aToken(3_601)];
    expect(await statusWith(one)).toBe(200);
    expect(await revoke(one)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await statusWith(one)).toBe(401);
    expect(await statusWith(other)).toBe(200);
    expect(await statusWith(here().me.token)).toBe(200);
  });

  test('security P3-7: spelling the signature in another way does not bring a revoked token back', async () => {
    const token = await aToken(3_602);
    await revoke(token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const spellings = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_').map(
      (last) => `${header}.${payload}.${signature.slice(0, -1)}${last}`,
    );
    for (const spelling of [...spellings, `${token}=`, `${header}=.${payload}.${signature}`, ` ${token}`]) {
      expect(await statusWith(spelling)).toBe(401);
    }
  });

  test('revoking a token twice changes nothing, and a token may revoke itself', async () => {
    const token = await aToken(3_603);
    expect((await api.post('/v1/account/tokens/revoke', { token }, { token })).status).toBe(200);
    expect((await revoke(token)).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
  });

  test('security P3-7: a key made with a token that expires ends with it, and does not count as the last one', async () => {
    const { deps, me } = here();
    const short = await aToken(60);
    const made = await aKey({ name: 'lasting?' }, { token: short });
    expect(made).toMatchObject({ expiresAt: expect.any(String) });
    expect(Date.parse(made.expiresAt ?? '')).toBeLessThanOrEqual(Date.now() + 60_000);
    expect(await statusWith(made.token)).toBe(200);
    const later = await anotherApp({ clock: () => new Date(Date.now() + 61_000) });
    expect((await api.get('/v1/account', { token: made.token, app: later })).status).toBe(401);
    const forever = await signToken(made.secret, { keyId: made.keyId });
    await here().database.pool.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      made.keyId,
    ]);
    expect(await statusWith(forever)).toBe(401);
    expect(base64url.decode(made.token.split('.')[1] ?? '').length).toBeGreaterThan(0);
    expect((await api.delete(`/v1/account/keys/${me.key.id}`)).status).toBe(409);
    expect(deps.env.OUTDIAL_MAX_TOKEN_SECONDS).toBeUndefined();
  });

  test('security P3-7: a key made with a key that ends does not outlive it, whatever its secret signs', async () => {
    const first = await aKey({ name: 'two hours' }, { token: await aToken(7_200) });
    const forever = await signToken(first.secret, { keyId: first.keyId });
    const second = await aKey({ name: 'lasting?' }, { token: forever });
    expect(first.expiresAt).toEqual(expect.any(String));
    expect(second.expiresAt).toBe(first.expiresAt);
  });

  test('security P3-7: with OUTDIAL_MAX_TOKEN_SECONDS no token lives longer, whatever it claims', async () => {
    const { me, deps } = here();
    const app = await anotherApp({ env: { ...deps.env, OUTDIAL_MAX_TOKEN_SECONDS: 600 } });
    const status = async (token: string) => (await api.get('/v1/account', { token, app })).status;
    const sign = (ttlSeconds: number | undefined, now = new Date()) =>
      signToken(me.secret, { keyId: me.key.id, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) }, now);
    expect(await status(await sign(undefined))).toBe(401);
    expect(await status(await sign(601))).toBe(401);
    expect(await status(await sign(600))).toBe(200);
    // An issue in the future does not make the life shorter.
    expect(await status(await sign(600, new Date(Date.now() + 86_400_000)))).toBe(401);
    const short = await sign(300);
    const response = await api.post('/v1/account/keys', {}, { token: short, app });
    expect(await status((response.body as { token: string }).token)).toBe(200);
  });
});

describe('404', () => {
  test('a token of another account, a forged one and what is none are not told apart', async () => {
    const stranger = await anAccount('Stranger');
    const forged = await signToken(`sk_${'0'.repeat(43)}`, { keyId: here().me.key.id });
    const answers = [await revoke(stranger.token), await revoke(forged), await revoke('no token'), await revoke('')];
    for (const { status, text } of answers) {
      expect(status).toBe(404);
      expect(text).toBe(answers[0]?.text);
    }
    expect((await api.get('/v1/account', { token: stranger.token })).status).toBe(200);
  });
});
