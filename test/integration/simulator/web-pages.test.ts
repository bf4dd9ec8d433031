import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { type Simulator, startSimulator } from '../../../telephony/simulator/start.js';

/** What a web page that its visitor's browser shows may try against a simulator on the same machine (P3-3). */

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ ledgerPath: join(temporaryFolder('pages'), 'ledger.jsonl') });
});
afterAll(() => simulator.stop());

const json = { 'content-type': 'application/json' };
const fault = '{"silence":true}';

/** Status of a request with exactly these headers. */
const statusOf = (method: string, path: string, headers: Record<string, string>, body = ''): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = simulator;
    const sent = request({ port, host: '127.0.0.1', method, path, headers, setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(body);
  });

const hasFault = async (): Promise<boolean> =>
  JSON.stringify(await (await fetch(`${simulator.url}/stats`)).json()).includes('"silence":true');

describe('P3-3: a name of a stranger that points here reads and changes nothing', () => {
  test.each([
    'attacker.example',
    'attacker.example:8080',
    '127.0.0.1.nip.io',
    'localhost.attacker.example',
    '[::1].x.y',
    '',
  ])('host: %s', async (host) => {
    expect(await statusOf('GET', '/ledger', { host })).toBe(421);
    expect(await statusOf('POST', '/faults', { host, ...json }, fault)).toBe(421);
    expect(await hasFault()).toBe(false);
  });
});

test.each(['127.0.0.1:9070', '[::1]:9070', 'localhost', 'simulator:9070', '192.168.1.7'])(
  'the carrier answers under %s, an address or a name that no stranger can own',
  async (host) => {
    expect(await statusOf('GET', '/stats', { host })).toBe(200);
  },
);

describe('P3-3: what a form of a web page can send is refused, and changes nothing', () => {
  const host = '127.0.0.1';
  test.each([
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', {}],
    ['application/jsonp', { 'content-type': 'application/jsonp' }],
  ] as const)('%s', async (_, headers) => {
    expect(await statusOf('POST', '/faults', { host, ...headers }, fault)).toBe(415);
    expect(await hasFault()).toBe(false);
  });

  test('JSON from another origin', async () => {
    expect(await statusOf('POST', '/faults', { host, ...json, origin: 'https://attacker.example' }, fault)).toBe(403);
    expect(await statusOf('POST', '/faults', { host, ...json, origin: 'null' }, fault)).toBe(403);
    expect(await hasFault()).toBe(false);
  });
});

test('JSON with a charset is JSON', async () => {
  const headers = { host: '127.0.0.1', 'content-type': 'application/json; charset=utf-8' };
  expect(await statusOf('POST', '/faults', headers, '{}')).toBe(200);
});
