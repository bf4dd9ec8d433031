import { mkdtempSync, readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { issueCode } from '../../../platform/one-time-codes.js';
import { expiryOf } from '../../../platform/token.js';
import { anotherApp, api, here } from '../support.js';

/** The address that `outdial up` prints is redeemed here. */

const folder = mkdtempSync(join(tmpdir(), 'sign-in-'));
let port = 0;

beforeAll(async () => {
  const env = { ...here().deps.env, OUTDIAL_SIGN_IN_FOLDER: folder };
  const app = await anotherApp({ env, pagesFolder: resolve('dist/console') });
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});

const aCode = (ms = 600_000) => issueCode(folder, here().me.key.id, new Date(Date.now() + ms));

interface Answer {
  readonly status: number | undefined;
  readonly body: { readonly token?: string; readonly error?: string };
  readonly caching: string | undefined;
}

/** As a browser on a page of this service asks, with these headers on top. */
const redeem = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  new Promise((done, fail) => {
    const origin = `http://127.0.0.1:${port}`;
    const sent = request({ host: '127.0.0.1', port, path: '/console/sign-in', method: 'POST' }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const text = JSON.parse(Buffer.concat(pieces).toString()) as Answer['body'];
        done({ status: response.statusCode, body: text, caching: response.headers['cache-control'] });
      });
    });
    for (const [name, value] of Object.entries({ origin, 'content-type': 'application/json', ...headers })) {
      sent.setHeader(name, value);
    }
    sent.on('error', fail);
    sent.end(JSON.stringify(body));
  });

test('a code is exchanged for a token of its account that lasts 12 hours, once', async () => {
  const code = aCode();
  const { status, body, caching } = await redeem({ code });
  expect({ status, caching }).toEqual({ status: 200, caching: 'no-store' });
  const { token = '' } = body;
  const account = await api.get('/v1/account', { token });
  expect(account.body).toMatchObject({ accountId: here().me.account.id });
  expect(expiryOf(token)!.getTime() - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
  expect(expiryOf(token)!.getTime() - Date.now()).toBeLessThanOrEqual(12 * 3_600_000);

  expect(await redeem({ code })).toMatchObject({
    status: 403,
    body: { error: expect.stringContaining('This address has signed in before') as string },
  });
});

test('of many who send one code at the same time, one is signed in', async () => {
  const code = aCode();
  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem({ code })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a code whose time is over is refused and gone', async () => {
  const code = aCode(-1);
  expect((await redeem({ code })).status).toBe(403);
  expect(readdirSync(folder)).toEqual([]);
});

test('a new code takes the place of the one before', async () => {
  const [first, second] = [aCode(), aCode()];
  expect((await redeem({ code: first })).status).toBe(403);
  expect((await redeem({ code: second })).status).toBe(200);
});

test('what the folder holds is no code', () => {
  const code = aCode();
  expect(readdirSync(folder).join()).not.toContain(code);
});

describe('nobody but a browser of this machine on a page of this service is signed in', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['a page of another origin', { origin: 'https://elsewhere.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a name that only points to this machine', { host: 'rebound.example', origin: 'http://rebound.example' }],
    ['an address of another machine', { host: '192.0.2.7', origin: 'http://192.0.2.7' }],
    ['who comes through a proxy', { 'x-forwarded-for': '192.0.2.7' }],
    ['who comes through a proxy that says so by Forwarded', { forwarded: 'for=192.0.2.7' }],
    ['who comes through a proxy that says so by Via', { via: '1.1 proxy' }],
  ])('%s', async (_who, headers) => {
    const code = aCode();
    expect((await redeem({ code }, headers)).status).toBe(403);
    // It is still there for its owner.
    expect((await redeem({ code })).status).toBe(200);
  });

  test('a form, which any page may send', async () => {
    const code = aCode();
    expect((await redeem({ code }, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await redeem({ code })).status).toBe(200);
  });
});

test.each([[{}], [{ code: '' }], [{ code: '../../access' }], [{ code: 7 }], ['none']])(
  '%j is no code',
  async (body) => {
    expect((await redeem(body)).status).toBe(400);
  },
);

test('a service that is not `outdial up` has no such address', async () => {
  const app = await anotherApp({ pagesFolder: resolve('dist/console') });
  const response = await api.post('/console/sign-in', { code: aCode() }, { app, token: null });
  expect(response.status).toBeGreaterThanOrEqual(404);
  expect(response.text).not.toContain('token');
});
