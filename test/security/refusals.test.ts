import { Writable } from 'node:stream';
import { base64url, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { issueToken } from '../../api/account/keys.js';
import { operations } from '../../api/operations.js';
import { createLogger } from '../../platform/logger.js';
import { signToken } from '../../platform/token.js';
import { ask, unknownIds, pathWith } from '../api/one-of-each.js';
import { anotherApp, api, here, useApi } from '../api/support.js';
import { aCallingNumber, aRule, anAgent, rowsOf } from '../api/support-resources.js';

useApi();

const tokenNaming = (apikey: unknown): string =>
  `${base64url.encode('{"alg":"HS256"}')}.${base64url.encode(JSON.stringify({ apikey }))}.${base64url.encode('x')}`;

test.each([
  ['NUL', 'key_\0'],
  ['half of a character', 'key_\ud800'],
  ['a quote', `key_' or 1=1`],
  ['no form', 'key_x'],
  ['an id with NUL at its end', `key_0198c0de-0000-7000-8000-000000000001\0`],
  ['a text of 100,000 characters', 'k'.repeat(100_000)],
  ['a list', ['key_\0']],
])('P2-3: a token whose key is %s is 401, never a failure of ours', async (_name, apikey) => {
  for (const token of [tokenNaming(apikey), new UnsecuredJWT({ apikey }).encode()]) {
    expect((await api.get('/v1/account', { token })).status).toBe(401);
  }
});

test('P2-3: every token that does not count is counted, whatever is wrong with it', async () => {
  const env = { ...here().deps.env, OUTDIAL_RATE_LIMIT_BURST: 20, OUTDIAL_RATE_LIMIT_PER_SECOND: 1 };
  const app = await anotherApp({ env });
  const statuses: number[] = [];
  for (let tries = 0; tries < 40; tries += 1) {
    statuses.push((await api.get('/v1/account', { token: tokenNaming(`key_\0${tries}`), app })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(21);
});

test('P2-3: a failure of ours while a token is read is counted as well', async () => {
  const env = { ...here().deps.env, OUTDIAL_RATE_LIMIT_BURST: 5, OUTDIAL_RATE_LIMIT_PER_SECOND: 1 };
  const secretBox = {
    ...here().deps.secretBox,
    open: () => {
      throw new Error('no key opens it');
    },
  };
  const app = await anotherApp({ env, secretBox });
  const statuses: number[] = [];
  for (let tries = 0; tries < 10; tries += 1) statuses.push((await api.get('/v1/account', { app })).status);
  expect(statuses.at(-1)).toBe(429);
});

test('P2-3: no NUL or half of a character in a path or a query reaches the database', async () => {
  for (const { method, url } of operations) {
    for (const bad of ['a\0b', '\0']) {
      const path = pathWith(url, Object.fromEntries(Object.keys(unknownIds()).map((name) => [name, bad])));
      const answers = [
        await ask({ method }, path, { token: here().me.token }),
        await ask({ method }, `${pathWith(url, unknownIds())}?search=%00&status=%00&type=%ED%A0%80&page=%00`, {
          token: here().me.token,
        }),
      ];
      for (const { status, text } of answers) expect(`${method} ${url} ${status} ${text}`).not.toMatch(/ 5\d\d /);
    }
  }
});

const readOnly = () =>
  issueToken(here().database.db, here().deps.secretBox, here().me.key.id, { permissions: ['read'] });

test('P2-4: a token that only reads gets no secret: the webhook secret is 403, and PINs are masked', async () => {
  const token = await readOnly();
  const number = await aCallingNumber();
  const room = { type: 'static', id: 'desk', pin: '490127' };
  const id = await aRule({ agentId: await anAgent(), phoneNumbers: [number.e164], room });
  expect((await api.get('/v1/account/webhook-secret', { token })).status).toBe(403);
  for (const path of ['/v2/sip/routing-rule', `/v2/sip/routing-rule/${id}`]) {
    expect((await api.get(path, { token })).text).not.toContain('490127');
    expect((await api.get(path)).text).toContain('490127');
  }
});

test('P2-4: nothing that a token which only reads may ask answers a secret of the account', async () => {
  const token = await readOnly();
  const secrets = [here().me.secret, (await api.get('/v1/account/webhook-secret')).body as { secret: string }].map(
    (one) => (typeof one === 'string' ? one : one.secret),
  );
  for (const { method, url } of operations.filter(({ method }) => method === 'GET')) {
    const { text } = await ask({ method }, pathWith(url, unknownIds()), { token });
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

test('P2-5: a replayed answer carries the token of who asks now', async () => {
  const { database, deps, me } = here();
  const config = { name: 'Given away', languages: { english: { prompt: 'Be brief.' } } };
  const headers = { 'idempotency-key': 'agent-given-away' };
  const first = await api.post('/v1/agents', config, { headers });
  const short = await issueToken(database.db, deps.secretBox, me.key.id, { ttlSeconds: 60 });
  const again = await api.post('/v1/agents', config, { headers, token: short });
  expect(again.status).toBe(201);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(first.text).toContain(me.token);
  expect(again.text).not.toContain(me.token);
  expect(again.body).toEqual(JSON.parse(first.text.replaceAll(me.token, short)));
  const stored = await rowsOf<Record<'response_sealed' | 'account_id' | 'key_id' | 'idempotency_key', string>>(
    'select response_sealed, account_id, key_id, idempotency_key from idempotency_keys where response_sealed is not null',
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const { response_sealed, account_id, key_id, idempotency_key } of stored) {
    const place = secretPlaces.storedAnswer(account_id, key_id, idempotency_key);
    expect(deps.secretBox.open(response_sealed, place)).not.toContain(me.token);
  }
});

test.each(operations.map((operation) => [`${operation.method} ${operation.url}`, operation] as const))(
  'security P3-1: no cache keeps what %s answers',
  async (_name, operation) => {
    for (const token of [here().me.token, null]) {
      const { headers } = await ask(operation, pathWith(operation.url, unknownIds()), { token });
      expect(headers['cache-control']).toContain('no-store');
    }
  },
);

test('security P3-2: log lines hold no number, no query and no token', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = await anotherApp({ logger: createLogger('api', 'trace', destination) });
  await api.get('/v1/contacts/+14155550187', { app });
  await api.get('/v1/agents?search=Ada+Lovelace&token=eyJhbGciOi', { app });
  await api.get('/v1/nothing/+14155550187?token=eyJhbGciOi', { app });
  await api.get('/v1/agents/%E0%A4%A?token=eyJhbGciOi', { app });
  await api.get(`/v1/agents/${'+14155550187'.repeat(40)}`, { app });
  const log = lines.join('');
  expect(log).toContain('/v1/contacts/:e164');
  expect(log).not.toMatch(/14155550187|Lovelace|eyJhbGciOi/);
});

test.each(['line\r\nX-Evil: 1', 'a\nb', 'tab\there', '\u0085'])(
  'security P3-4: %j is no part of a SIP header: neither credentials nor the name of a participant',
  async (text) => {
    const auth = { username: text, password: text };
    const gateway = await api.post('/v2/sip/outbound-gateways', { name: 'x', address: 'sip.x.example', auth });
    expect(gateway.status).toBe(400);
    expect(gateway.text).toMatch(/auth\.username.*auth\.password|auth\.password.*auth\.username/s);
    const participant = { id: text, name: text };
    const call = await api.post('/v2/sip/call', {
      sipCallTo: '+14155550187',
      sipCallFrom: '+14155550188',
      participant,
    });
    expect(call.status).toBe(400);
    expect(call.text).toContain('participant.name');
  },
);

test('security P3-8: refused tokens and forbidden operations are in the audit log, once a minute for each kind', async () => {
  const { me } = here();
  const app = await anotherApp({});
  const forged = await signToken(`sk_${'0'.repeat(43)}`, { keyId: me.key.id });
  for (let tries = 0; tries < 25; tries += 1) {
    await api.get('/v1/account', { token: forged, app });
    await api.post('/v1/account/keys', { name: 'x' }, { token: await readOnly(), app });
  }
  const entries = await rowsOf<{ action: string; target: string; address: string; key_id: string }>(
    `select action, target, address, key_id from audit_log where account_id = $1 and action like 'token.%'
     and target in ('GET /v1/account', 'POST /v1/account/keys')`,
    [me.account.id],
  );
  expect(entries.toSorted((a, b) => (a.action < b.action ? -1 : 1))).toEqual([
    { action: 'token.forbidden', target: 'POST /v1/account/keys', address: '127.0.0.1', key_id: me.key.id },
    { action: 'token.refused', target: 'GET /v1/account', address: '127.0.0.1', key_id: me.key.id },
  ]);
});
