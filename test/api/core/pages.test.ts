import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { anotherApp, api, here, type ApiTestEnv } from '../support.js';

const folder = temporaryFolder('pages');
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'playground.html'), '<!doctype html><title>Playground</title>');
writeFileSync(join(folder, 'console.html'), '<!doctype html><meta nonce="{{nonce}}"><title>Console</title>');
writeFileSync(join(folder, 'assets', 'playground-abc123.js'), 'void 0;');
writeFileSync(join(folder, 'secret.txt'), 'not to be seen');

let app: ApiTestEnv['app'];
beforeAll(async () => {
  app = await anotherApp({ pagesFolder: folder });
});

test('the page of an agent needs no token, and may run nothing but its own files', async () => {
  const response = await api.get('/playground/agt_1', { app, token: null });
  expect(response.status).toBe(200);
  expect(response.text).toContain('<title>Playground</title>');
  expect(response.headers['cache-control']).toBe('no-cache');
  expect(response.headers['referrer-policy']).toBe('no-referrer');
  const policy = String(response.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
});

test('every page of the console is one page, whose styles alone have a nonce, another one for each request', async () => {
  const [first, second] = await Promise.all(
    ['/console', '/console/batches/batch_1?page=2'].map((url) => api.get(url, { app, token: null })),
  );
  const nonces = [first!, second!].map(({ status, text, headers }) => {
    const [, nonce] = /<meta nonce="([\w+/=]{24})"><title>Console/.exec(text) ?? [];
    const policy = String(headers['content-security-policy']);
    expect({ status, policy }).toEqual({
      status: 200,
      policy: expect.stringContaining("script-src 'self';") as string,
    });
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(policy).not.toContain('unsafe');
    return nonce;
  });
  expect(new Set(nonces).size).toBe(2);
});

test('its policy names the LiveKit that browsers use, and no other server', async () => {
  const env = {
    ...here().deps.env,
    ...{ OUTDIAL_LIVEKIT_URL: 'https://livekit.example.com/', OUTDIAL_LIVEKIT_API_KEY: 'key' },
    ...{ OUTDIAL_LIVEKIT_API_SECRET: 'secret' },
  };
  const withLiveKit = await anotherApp({ env, pagesFolder: folder });
  const { headers } = await api.get('/playground/agt_1', { app: withLiveKit, token: null });
  expect(headers['content-security-policy']).toContain(
    "connect-src 'self' wss://livekit.example.com https://livekit.example.com;",
  );
});

test('files whose names change with their content are kept for a year', async () => {
  const response = await api.get('/console/assets/playground-abc123.js', { app, token: null });
  expect(response.status).toBe(200);
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(response.headers['content-type']).toContain('javascript');
});

test.each([
  '/console/secret.txt',
  '/console/assets/../secret.txt',
  '/console/assets/..%2fsecret.txt',
  '/console/assets/',
  '/console/assets/none.js',
  '/console/.vite/manifest.json',
])('%s is no file of a page', async (url) => {
  expect((await api.get(url, { app, token: null })).status).toBe(404);
});

test('who asks for pages too fast is told when to come back', async () => {
  const env = { ...here().deps.env, OUTDIAL_RATE_LIMIT_PER_SECOND: 1, OUTDIAL_RATE_LIMIT_BURST: 2 };
  const limited = await anotherApp({ env, pagesFolder: folder });
  const ask = (url: string) => api.get(url, { app: limited, token: null });
  expect((await ask('/playground/agt_1')).status).toBe(200);
  expect((await ask('/console/assets/playground-abc123.js')).status).toBe(200);
  const held = await ask('/playground/agt_1');
  expect(held.status).toBe(429);
  expect(Number(held.headers['retry-after'])).toBeGreaterThan(0);
});

test('an installation whose pages were not built serves the API without them', async () => {
  const without = await anotherApp({ pagesFolder: join(folder, 'none') });
  expect((await api.get('/playground/agt_1', { app: without, token: null })).status).toBe(404);
  expect((await api.get('/v1/agents', { app: without })).status).toBe(200);
});
