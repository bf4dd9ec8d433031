import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { base64url, CompactSign, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { InvalidToken, signToken, verifyToken } from '../../platform/token.js';

const keyId = 'key_0198c0de-0000-7000-8000-000000000001';
const secret = `sk_${randomBytes(32).toString('base64url')}`;
const bytes = new TextEncoder().encode(secret);
const secretOf = (id: string) => Promise.resolve(id === keyId ? secret : null);
const verify = (token: string, now?: Date) => verifyToken(token, secretOf, now);
const claims = () => new SignJWT({ apikey: keyId });

// shows: token.hs256
test('a token that any JWT library signs with the secret counts', async () => {
  const token = await claims().setProtectedHeader({ alg: 'HS256' }).sign(bytes);
  expect(await verify(token)).toEqual({ keyId });
  const byHand = `${base64url.encode('{"alg":"HS256"}')}.${base64url.encode(JSON.stringify({ apikey: keyId }))}`;
  const signature = createHmac('sha256', secret).update(byHand).digest('base64url');
  expect(await verify(`${byHand}.${signature}`)).toEqual({ keyId });
});

test('our own carry what they were given', async () => {
  const now = new Date();
  const token = await signToken(secret, { keyId, permissions: ['read'], agentId: 'agt_1', ttlSeconds: 10 }, now);
  expect(await verify(token, now)).toEqual({ keyId, permissions: ['read'], agentId: 'agt_1' });
  await expect(verify(token, new Date(now.getTime() + 11_000))).rejects.toThrow('expired');
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' });

const forgeries: Record<string, () => Promise<string> | string> = {
  'no algorithm': () => new UnsecuredJWT({ apikey: keyId }).encode(),
  'no algorithm, with the signature of a good one': async () => {
    const good = await signToken(secret, { keyId });
    return `${base64url.encode('{"alg":"none"}')}.${good.split('.').slice(1).join('.')}`;
  },
  'HS384 with the right secret': () => claims().setProtectedHeader({ alg: 'HS384' }).sign(bytes),
  'HS512 with the right secret': () => claims().setProtectedHeader({ alg: 'HS512' }).sign(bytes),
  'an RSA signature': () => claims().setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
  'HS256 with a public key as its secret': () =>
    claims()
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(String(publicPem))),
  'another secret': () => signToken(`sk_${'0'.repeat(43)}`, { keyId }),
  'an empty signature': async () => `${(await signToken(secret, { keyId })).split('.').slice(0, 2).join('.')}.`,
  'another payload under a good signature': async () => {
    const [header, , signature] = (await signToken(secret, { keyId })).split('.');
    return `${header ?? ''}.${base64url.encode(JSON.stringify({ apikey: keyId, permissions: [] }))}.${signature ?? ''}`;
  },
  'an unknown key': () => signToken(secret, { keyId: 'key_0198c0de-0000-7000-8000-00000000ffff' }),
  'no key': () => new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'a key that is no text': () =>
    new SignJWT({ apikey: { id: keyId } }).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'a payload that is no object': () =>
    new CompactSign(new TextEncoder().encode('[1]')).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'permissions that are no list': () =>
    new SignJWT({ apikey: keyId, permissions: 'read' }).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'permissions that are no words': () =>
    new SignJWT({ apikey: keyId, permissions: [1] }).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'an agent that is no text': () =>
    new SignJWT({ apikey: keyId, agent: ['agt_1'] }).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'a token that begins tomorrow': () =>
    claims()
      .setProtectedHeader({ alg: 'HS256' })
      .setNotBefore(new Date(Date.now() + 86_400_000))
      .sign(bytes),
  'an expiry that is no number': () =>
    new SignJWT({ apikey: keyId, exp: 'never' as unknown as number }).setProtectedHeader({ alg: 'HS256' }).sign(bytes),
  'unknown critical headers': async () => {
    const payload = base64url.encode(JSON.stringify({ apikey: keyId }));
    const input = `${base64url.encode('{"alg":"HS256","crit":["x"],"x":1}')}.${payload}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  },
  'a key inside the header': async () => {
    const own = randomBytes(32);
    const jwk = { kty: 'oct', k: own.toString('base64url') };
    return claims().setProtectedHeader({ alg: 'HS256', jwk }).sign(own);
  },
  nothing: () => '',
  'no token at all': () => 'not.a.token',
  'one part': () => 'abc',
  'five parts': () => 'a.b.c.d.e',
};

// shows: token.alg-pinned
test.each(Object.entries(forgeries))('%s does not count', async (_name, forge) => {
  await expect(verify(await forge())).rejects.toBeInstanceOf(InvalidToken);
});

// shows: token.says-nothing
test('the answer does not say what is wrong with a token, so it does not tell which keys exist', async () => {
  const messages = await Promise.all(
    ['another secret', 'an unknown key', 'no key', 'no algorithm'].map(async (name) => {
      const forge = forgeries[name];
      return verify((await forge?.()) ?? '').catch((error: unknown) => String(error));
    }),
  );
  expect(new Set(messages).size).toBe(1);
});

test('a database that cannot be asked is not a wrong token', async () => {
  const token = await signToken(secret, { keyId });
  await expect(verifyToken(token, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
