import { expect, test } from 'vitest';
import { signToken } from '../../../platform/token.js';
import { anAccount, anotherApp, api, here } from '../support.js';

/** Seconds, of the 30 that three requests take at that rate: long enough for a busy machine to ask four times. */
const soon = /^([1-9]|[12]\d|30)$/;

const limited = () => {
  const env = { ...here().deps.env, OUTDIAL_RATE_LIMIT_PER_SECOND: 0.1, OUTDIAL_RATE_LIMIT_BURST: 3 };
  return anotherApp({ env: { ...env, OUTDIAL_TRUSTED_PROXIES: ['127.0.0.0/8'] } });
};
const from = (address: string) => ({ 'x-forwarded-for': address });

// shows: health.no-token, token.rate-limit
test.each([
  ['/v2/sip/phone-numbers', { message: expect.any(String) as unknown }],
  ['/v1/agents', { error: expect.any(String) as unknown }],
  ['/v1/batch-calls', { error: expect.any(String) as unknown }],
  ['/v1/account/keys', { error: expect.any(String) as unknown }],
])('an account that asks %s too fast is told when to come back; others are not held up', async (url, body) => {
  const app = await limited();
  const [mine, other] = [await anAccount(), await anAccount()];
  const answers = [];
  for (let request = 0; request < 4; request += 1) answers.push(await api.get(url, { app, token: mine.token }));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[0]?.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '2' });
  expect(answers[0]?.headers['ratelimit-reset']).toMatch(soon);
  expect(answers[3]?.headers).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
  expect(answers[3]?.headers['retry-after']).toMatch(soon);
  expect(answers[3]?.headers['ratelimit-reset']).toBe(answers[3]?.headers['retry-after']);
  expect(answers[3]?.body).toEqual(body);
  expect((await api.get(url, { app, token: other.token })).status).toBe(200);
  expect((await api.get('/healthz', { app, token: null })).status).toBe(200);
});

test('a flood without a token that counts is held off by its address, and asks no database any more', async () => {
  const app = await limited();
  const { key } = await anAccount();
  const headers = from('198.51.100.7');
  const forged = await signToken('sk_guess', { keyId: key.id });
  const flood = async () => [
    await api.get('/v1/agents', { app, headers, token: null }),
    await api.get('/v2/sip/phone-numbers', { app, headers, token: forged }),
    await api.post('/v2/sip/call', {}, { app, headers, token: 'Bearer x' }),
  ];
  expect((await flood()).map(({ status }) => status)).toEqual([401, 401, 401]);

  const held = await flood();

  expect(held.map(({ status }) => status)).toEqual([429, 429, 429]);
  expect(held.map(({ body }) => Object.keys(body as object))).toEqual([['error'], ['message'], ['message']]);
  for (const { headers: answered } of held) {
    expect(answered).toMatchObject({ 'ratelimit-limit': '3', 'ratelimit-remaining': '0' });
    expect(answered['retry-after']).toMatch(soon);
  }
  expect((await api.get('/v1/agents', { app, headers: from('198.51.100.8'), token: null })).status).toBe(401);
});

test('a client whose token was accepted before is not held up by a flood from the same address', async () => {
  const app = await limited();
  const headers = from('198.51.100.9');
  const [known, unknown] = [await anAccount(), await anAccount()];
  expect((await api.get('/v1/agents', { app, headers, token: known.token })).status).toBe(200);
  for (let request = 0; request < 4; request += 1) await api.get('/v1/agents', { app, headers, token: 'x' });

  expect((await api.get('/v1/agents', { app, headers, token: known.token })).status).toBe(200);
  expect((await api.get('/v1/agents', { app, headers, token: unknown.token })).status).toBe(429);
});

test('an IPv6 host cannot step aside within its network', async () => {
  const app = await limited();
  const ask = (host: number) =>
    api.get('/v1/agents', { app, token: 'x', headers: from(`2001:db8:1:2::${host.toString(16)}`) });
  const statuses = [];
  for (let host = 1; host <= 4; host += 1) statuses.push((await ask(host)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect((await api.get('/v1/agents', { app, token: 'x', headers: from('2001:db8:1:3::1') })).status).toBe(401);
});

test.each(['/openapi.json', '/docs/', '/nothing', '/v2/sip/nothing'])(
  '%s, which needs no token, is limited by address; probes are not',
  async (url) => {
    const app = await limited();
    const headers = from('198.51.100.10');
    const answers = [];
    for (let request = 0; request < 4; request += 1) answers.push(await api.get(url, { app, headers, token: null }));

    expect(answers.map(({ status }) => status === 429)).toEqual([false, false, false, true]);
    expect(answers[3]?.headers['retry-after']).toMatch(soon);
    expect(answers[3]?.body).toEqual({ [url.startsWith('/v2') ? 'message' : 'error']: expect.any(String) as unknown });
    expect((await api.get(url, { app, headers: from('198.51.100.11'), token: null })).status).not.toBe(429);
    for (let request = 0; request < 4; request += 1) {
      expect((await api.get('/healthz', { app, headers, token: null })).status).toBe(200);
    }
  },
);
