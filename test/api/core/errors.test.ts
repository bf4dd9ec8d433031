import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { colours, icon } from '../../../api/pages/look.js';
import { openDatabase } from '../../../db/client.js';
import { createLogger } from '../../../platform/logger.js';
import { version } from '../../../platform/version.js';
import { anotherApp, api, here } from '../support.js';
import { numbersBody, rowsOf } from '../support-resources.js';

// shows: everywhere.404-operation
test.each([
  ['/v2/sip/nothing', { message: expect.stringContaining('GET /docs') }],
  ['/v1/nothing', { error: expect.stringContaining('There is no such operation') }],
])('an address that is no operation, %s, is 404 in the shape of its family', async (url, body) => {
  const response = await api.get(url);
  expect(response.status).toBe(404);
  expect(response.body).toEqual(body);
});

// shows: everywhere.404-operation
test.each(['QUERY', 'PROPFIND', 'OPTIONS', 'PUT'] as const)(
  'a method that nothing answers at an address, %s, is 405 with those that are',
  async (method) => {
    const { me } = here();
    // inject() knows fewer methods than a socket does.
    const address = await (await anotherApp({})).listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${address}/v1/account`, { method, headers: { authorization: me.token } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await response.json()).toEqual({ error: expect.stringContaining('GET /docs') });
  },
);

test('the Allow header of an address that two operations match names the methods of both', async () => {
  const response = await api.put('/v2/sip/call/transfer', {});
  expect(response.status).toBe(405);
  expect(response.headers.allow).toBe('GET, HEAD, POST');
  expect(response.body).toEqual({ message: expect.stringContaining('PUT') });
});

test.each(['*/*', 'application/json', 'application/json, text/html', undefined])(
  'GET / says where to go, as JSON to a client that accepts %s',
  async (accept) => {
    const headers = accept === undefined ? {} : { accept };
    const response = await here().app.inject({ method: 'GET', url: '/', headers });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ version, documentation: '/docs', openapi: '/openapi.json' });
    expect(response.headers.vary).toBe('accept');
  },
);

test('GET / is a page for a browser, and its policy allows nothing but its own style', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const { statusCode, headers, body } = await here().app.inject({ method: 'GET', url: '/', headers: { accept } });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  expect(body).toContain('href="/docs/"');
  expect(body).toContain('/v1/account --header "Authorization: $TOKEN"');
});

test('the pages of the API and the playground have one mark and one set of colours', () => {
  expect(icon).toBe(readFileSync('console/playground/icon.svg', 'utf8'));
  const style = readFileSync('console/playground/page.css', 'utf8');
  for (const [name, value] of Object.entries(colours)) expect(style).toContain(`--${name}: ${value};`);
});

test.each(['/v1/agents/', '/v2/sip/call/', '/v1/do-not-call/', '/v1/batch-calls/'])(
  'D5: an id of any length after %s is nothing that exists, never a failure of ours',
  async (path) => {
    for (const id of ['x'.repeat(301), `call_${'0'.repeat(4_000)}`, '%41'.repeat(200), '+1'.repeat(500)]) {
      for (const ask of [api.get, api.delete]) {
        const response = await ask(`${path}${id}`);
        expect([400, 404, 405]).toContain(response.status);
        expect(response.text.length).toBeLessThan(1_000);
      }
    }
  },
);

test('an address with a query of 5,000 repeated parameters is answered in short', async () => {
  const response = await api.get(`/v1/agents?${'page=x&status=y&'.repeat(5_000)}`);
  expect(response.status).toBe(400);
  expect(response.text.length).toBeLessThan(5_000);
});

test('an address that is no URL is 400', async () => {
  const response = await api.get('/v2/sip/call/%E0%A4%A');
  expect(response.status).toBe(400);
  expect(response.body).toEqual({ message: expect.any(String) });
});

// shows: everywhere.request-id
test('every answer has a request id; a harmless one of the client’s is kept, any other replaced', async () => {
  const idOf = async (sent?: string) =>
    (await api.get('/v1/account', sent === undefined ? {} : { headers: { 'x-request-id': sent } })).headers[
      'x-request-id'
    ];
  expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
  expect(await idOf('trace-0123456789')).toBe('trace-0123456789');
  expect(await idOf('evil\tvalue')).toMatch(/^[0-9a-f-]{36}$/);
  expect((await api.get('/v1/account', { token: null })).headers['x-request-id']).toBeDefined();
});

test('JSON with a charset is JSON', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect((await api.post('/v2/sip/phone-numbers', numbersBody(), { headers })).status).toBe(201);
});

test('a body nested too deep, or with __proto__ in it, is a problem of the request', async () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  expect((await api.post('/v2/sip/phone-numbers', deep)).status).toBe(400);
  expect((await api.post('/v2/sip/phone-numbers', '{"__proto__":{"admin":true}}')).status).toBe(400);
});

// shows: everywhere.nothing-leaks, health.ready
test('with Postgres away it is 503 with Retry-After, and not ready', async () => {
  const { deps } = here();
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, name: 'nowhere' });
  const app = await anotherApp({ database });
  try {
    const response = await api.get('/v2/sip/phone-numbers', { app });
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
    expect(response.body).toEqual({ message: expect.any(String) });
    expect(response.text).not.toContain('127.0.0.1');

    const ready = await api.get('/readyz', { app, token: null });
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({ checks: { postgres: false, migrations: false, temporal: true } });
    expect((await api.get('/healthz', { app, token: null })).status).toBe(200);
  } finally {
    await database.close();
  }
  expect(deps.database).not.toBe(database);
});

// shows: health.ready, health.no-token
test('readiness asks for Temporal and current migrations too', async () => {
  const ready = await api.get('/readyz', { token: null });
  expect(ready.status).toBe(200);
  expect(ready.body).toEqual({ status: 'ready', checks: { postgres: true, migrations: true, temporal: true } });

  const app = await anotherApp({ temporal: { kick: () => undefined, isReachable: () => Promise.resolve(false) } });
  expect(await api.get('/readyz', { app, token: null })).toMatchObject({ status: 503 });
});

// shows: everywhere.500, everywhere.nothing-leaks, everywhere.request-id
test('an accident of our own tells the client only its request id, and the log everything but secrets', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const secretBox = {
    ...here().deps.secretBox,
    seal: () => {
      throw new Error('the vault exploded at /srv/secret-place');
    },
  };
  const app = await anotherApp({ secretBox, logger: createLogger('api', 'info', destination) });
  const auth = { username: 'me', password: 'hunter2hunter2' };
  const response = await api.post(
    '/v2/sip/phone-numbers',
    numbersBody({ outbound: { address: 'sip.carrier.example', auth } }),
    { app },
  );
  expect(response.status).toBe(500);
  expect(response.body).toEqual({ message: expect.stringContaining('x-request-id') });
  expect(response.text).not.toContain('vault');
  const log = lines.join('');
  expect(log).toContain('the vault exploded');
  expect(log).toContain(String(response.headers['x-request-id']));
  expect(log).not.toContain('hunter2hunter2');
  expect(log).not.toContain(here().me.token);
});

test('who asks is the peer, whatever a client says; behind a trusted proxy it is whom that one names', async () => {
  const addressOf = async (app = here().app) => {
    const response = await api.post('/v2/sip/phone-numbers', numbersBody(), {
      app,
      headers: { 'x-forwarded-for': '198.51.100.9' },
    });
    const { data } = response.body as { data: { phoneNumber: { phoneNumberId: string } }[] };
    const [entry] = await rowsOf<{ address: string }>('select address from audit_log where target = $1', [
      data[0]!.phoneNumber.phoneNumberId,
    ]);
    return entry?.address;
  };
  expect(await addressOf()).toBe('127.0.0.1');
  const env = { ...here().deps.env, OUTDIAL_TRUSTED_PROXIES: ['127.0.0.0/8'] };
  expect(await addressOf(await anotherApp({ env }))).toBe('198.51.100.9');
});
