import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchDocument, FetchFailed } from '../../activities/fetch-document.js';
import type { FindAddresses } from '../../platform/find-addresses.js';
import {
  createGuardedFetch,
  ForbiddenDestination,
  outboundFailureWords,
  outboundUrlProblem,
} from '../../platform/outbound-url.js';

const strict = { allowPrivate: false, allowInsecure: false };
const lenient = { allowPrivate: true, allowInsecure: true };

/** Answers each name with the next of its addresses, then with the last for ever: DNS that changes its mind. */
function fakeNames(answers: Record<string, LookupAddress[][]>): { findAddresses: FindAddresses; asked: string[] } {
  const asked: string[] = [];
  const findAddresses = (hostname: string): Promise<readonly LookupAddress[]> => {
    asked.push(hostname);
    const left = answers[hostname] ?? [];
    const next = left.length > 1 ? left.shift() : left[0];
    return next === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(next);
  };
  return { findAddresses, asked };
}
const v4 = (address: string): LookupAddress => ({ address, family: 4 });
const v6 = (address: string): LookupAddress => ({ address, family: 6 });

let server: Server;
let port = 0;
const hits: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    hits.push(`${request.headers.host ?? ''}${request.url ?? ''}`);
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` });
    response.end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The refusal, whether fetch threw it or wrapped it. */
async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof Error && error.cause instanceof ForbiddenDestination ? error.cause : error;
}

// shows: webhook.https
test.each([
  'http://example.com/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'example.com/hook',
  '//example.com',
  '',
  'https://user:password@example.com/',
  'https://localhost/',
  'https://LOCALHOST:8443/',
  'https://hooks.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.20.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://metadata.google.internal/',
])('%j is refused before anything is asked of the network', (url) => {
  expect(outboundUrlProblem(url, strict)).toMatch(/^must /);
});

test.each(['https://example.com/hook', 'https://93.184.216.34:8443/', 'https://[2606:4700::1111]/'])(
  '%s is accepted',
  (url) => {
    expect(outboundUrlProblem(url, strict)).toBeNull();
  },
);

test('where private ones are allowed, metadata services are still not', () => {
  expect(outboundUrlProblem('http://127.0.0.1:8080/', lenient)).toBeNull();
  expect(outboundUrlProblem('http://localhost/', lenient)).toBeNull();
  expect(outboundUrlProblem('http://169.254.169.254/', lenient)).not.toBeNull();
  expect(outboundUrlProblem('http://[fd00:ec2::254]/', lenient)).not.toBeNull();
});

// shows: webhook.private
test('a name that leads to a private address is not connected to', async () => {
  const { findAddresses, asked } = fakeNames({ 'evil.example': [[v4('127.0.0.1')]] });
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true, findAddresses });
  const before = hits.length;
  expect(await refusalOf(guarded(`http://evil.example:${port}/`))).toBeInstanceOf(ForbiddenDestination);
  expect(asked).toEqual(['evil.example']);
  expect(hits).toHaveLength(before);
  await guarded.close();
});

test.each([
  ['one good and one bad', [v4('93.184.216.34'), v4('10.0.0.1')]],
  ['an IPv6 that maps a private IPv4', [v6('::ffff:10.0.0.1')]],
  ['the metadata service', [v4('169.254.169.254')]],
  ['no address at all', []],
])('a name with %s is not connected to', async (_case, addresses) => {
  const { findAddresses } = fakeNames({ 'evil.example': [addresses] });
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true, findAddresses });
  expect(await refusalOf(guarded(`http://evil.example:${port}/`))).toBeInstanceOf(ForbiddenDestination);
  await guarded.close();
});

test('a name that was good when it was checked and is private when it is connected to gains nothing', async () => {
  // The rebinding: the first answer is public, as a check beforehand would see it; the connection gets the second.
  const { findAddresses } = fakeNames({ 'rebind.example': [[v4('93.184.216.34')], [v4('127.0.0.1')]] });
  await findAddresses('rebind.example');
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true, findAddresses });
  const before = hits.length;
  expect(await refusalOf(guarded(`http://rebind.example:${port}/`))).toBeInstanceOf(ForbiddenDestination);
  expect(hits).toHaveLength(before);
  await guarded.close();
});

/** DNS that knows one name of the private network, and has a failure for every other. */
const failingWith =
  (code: string): FindAddresses =>
  (hostname) =>
    hostname === 'vm.example'
      ? Promise.resolve([v4('10.0.0.1')])
      : Promise.reject(Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code }));

test.each(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'])(
  'P3-10: the words for a name of the private network are those for a name that fails with %s',
  async (code) => {
    const guarded = createGuardedFetch({ ...strict, findAddresses: failingWith(code) });
    const wordsFor = async (url: string) => outboundFailureWords(await guarded(url).catch((error: unknown) => error));
    const documentWordsFor = (url: string) =>
      fetchDocument(url, guarded).then(
        () => null,
        (error: unknown) => error,
      );

    expect(await wordsFor('https://vm.example/')).toBe('the host leads to no public address');
    expect(await wordsFor('https://absent.example/')).toBe('the host leads to no public address');
    const inside = await documentWordsFor('https://vm.example/a.txt');
    expect(inside).toBeInstanceOf(FetchFailed);
    expect(inside).toEqual(await documentWordsFor('https://absent.example/a.txt'));
    await guarded.close();
  },
);

test('a literal is judged although nothing is looked up for it', async () => {
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true });
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433']) {
    expect(await refusalOf(guarded(`http://${host}:${port}/`))).toBeInstanceOf(ForbiddenDestination);
  }
  await guarded.close();
});

// shows: webhooks.redirects
test('a redirect is an answer and is not followed', async () => {
  const { findAddresses } = fakeNames({ 'mine.example': [[v4('127.0.0.1')]] });
  const guarded = createGuardedFetch({ ...lenient, findAddresses });
  const response = await guarded(`http://mine.example:${port}/redirect`);
  expect(response.status).toBe(302);
  expect(hits.some((hit) => hit.endsWith('/inside'))).toBe(false);
  await response.text();
  await guarded.close();
});

test('where private ones are allowed a request arrives, with its body', async () => {
  const { findAddresses } = fakeNames({ 'mine.example': [[v4('127.0.0.1')]] });
  const guarded = createGuardedFetch({ ...lenient, findAddresses });
  const response = await guarded(`http://mine.example:${port}/hook`, { method: 'POST', body: '{}' });
  expect(await response.text()).toBe('hello');
  expect(hits).toContain(`mine.example:${port}/hook`);
  await guarded.close();
});
