import { createHook } from 'node:async_hooks';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTrunkJudge } from '../../cli/roles/trunk-judge.js';
import { createFindAddresses } from '../../platform/find-addresses.js';
import { createGuardedFetch } from '../../platform/outbound-url.js';
import { type DnsServer, startDnsServer } from './dns-server.js';

const silentNames = Array.from({ length: 64 }, (_, number) => `hook${number}.silent.example`);

let folder: string;
let dns: DnsServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-names-'));
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n10.9.8.7 PBX pbx.office.example # ours\nfd00::7 pbx\n');
  await writeFile(join(folder, 'resolv.conf'), 'search apps.example office.example\noptions ndots:2 timeout:1\n');
  dns = await startDnsServer({
    'good.example': ['192.0.2.7', '192.0.2.8'],
    'hook.office.example': ['192.0.2.9'],
    'a.b.example': ['192.0.2.10'],
    ...Object.fromEntries(silentNames.map((name) => [name, 'silent' as const])),
  });
});
afterAll(async () => {
  await dns.close();
  await rm(folder, { recursive: true });
});

const finder = (askAgainMs = 60_000) =>
  createFindAddresses({
    servers: [dns.address],
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
    askAgainMs,
    withinMs: 60_000,
  });
const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

// shows: webhooks.slow-names
test(
  'names whose servers are silent hold up no other: neither those of clients, nor the service’s own',
  { timeout: 5_000 },
  async () => {
    const find = finder();
    let ended = 0;
    for (const name of silentNames) {
      void find(`${name}.`)
        .catch(() => null)
        .finally(() => (ended += 1));
    }

    expect(await find('good.example.')).toEqual(v4('192.0.2.7', '192.0.2.8'));
    expect(await lookup('localhost', { family: 4 })).toEqual({ address: '127.0.0.1', family: 4 });
    expect(ended).toBe(0);
  },
);

test('names that clients choose take no thread of the process, in URLs and in addresses of trunks', async () => {
  const begun: string[] = [];
  const hook = createHook({
    init(_id, type) {
      if (/QUERYWRAP|GETADDRINFO/.test(type)) begun.push(type);
    },
  }).enable();
  const guarded = createGuardedFetch({ allowPrivate: false, allowInsecure: true });
  void guarded('http://hook.example.invalid/').catch(() => null);
  void createTrunkJudge({ allowPrivate: false })('sip.example.invalid');
  await vi.waitUntil(() => begun.length >= 4, { interval: 1 });
  hook.disable();
  expect(new Set(begun)).toEqual(new Set(['QUERYWRAP']));
});

test('a name that DNS does not have is not found; of one whose servers are silent nothing is known', async () => {
  await expect(finder()('absent.example.')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(finder()('x'.repeat(64))).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(finder(50)('hook0.silent.example.')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  const hasty = createFindAddresses({ servers: [dns.address], withinMs: 50 });
  await expect(hasty('hook0.silent.example.')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

test('the hosts file counts before DNS, in any case, and so does localhost', async () => {
  const before = dns.asked.length;
  const ours = [...v4('10.9.8.7'), { address: 'fd00::7', family: 6 }];
  expect(await finder()('PBX')).toEqual(ours);
  expect(await finder()('pbx.office.example')).toEqual(v4('10.9.8.7'));
  expect(await finder()('app.localhost')).toEqual([...v4('127.0.0.1'), { address: '::1', family: 6 }]);
  expect(await finder()('192.0.2.1')).toEqual(v4('192.0.2.1'));
  expect(dns.asked.length).toBe(before);
});

test('the search domains of resolv.conf count, before a name of few dots and after one of many', async () => {
  const askedFor = async (host: string) => {
    const before = dns.asked.length;
    const found = await finder()(host);
    return { found, asked: dns.asked.slice(before) };
  };
  expect(await askedFor('hook')).toEqual({
    found: v4('192.0.2.9'),
    asked: ['hook.apps.example', 'hook.office.example'],
  });
  expect(await askedFor('a.b.example')).toEqual({ found: v4('192.0.2.10'), asked: ['a.b.example'] });
  expect(await askedFor('good.example.')).toEqual({ found: v4('192.0.2.7', '192.0.2.8'), asked: ['good.example'] });
});
