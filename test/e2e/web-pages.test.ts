import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesOn, runService, type RunningService } from './running-service.js';

/** What a web page in a browser of this machine reaches of `up` by a name of its own that points here (P3-3). */

let service: RunningService;

beforeAll(async () => {
  service = await runService({ speed: 50 });
});

afterAll(async () => {
  await service.stop();
  service.removeData();
});

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Addresses that the processes of `up` listen on. Linux: /proc tells. */
function listening(): Address[] {
  const pids = [service.pid, ...processesOn(service.folder), ...Object.values(service.ready().pids)];
  const sockets = new Set(pids.flatMap((pid) => readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(pid, fd))));
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    if (state !== '0A' || !sockets.has(`socket:[${inode}]`)) return [];
    const [address = '', port = ''] = local.split(':');
    const host = [...Buffer.from(address, 'hex')].reverse().join('.');
    return [{ host, port: Number.parseInt(port, 16) }];
  });
}

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return 'closed meanwhile';
  }
}

interface Asked {
  readonly host?: string;
  readonly origin?: string;
  readonly method?: string;
}

/** Status and body of the answer; status 0: what listens there speaks no HTTP/1.1. */
const ask = ({ host, port }: Address, path: string, headers: Asked): Promise<{ status: number; text: string }> =>
  new Promise((resolve) => {
    const { method = 'GET', ...rest } = headers;
    const sent = request(
      { host, port, path, method, setHost: false, headers: { host: `${host}:${port}`, ...rest } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('close', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    sent.setTimeout(5000, () => sent.destroy());
    sent.on('error', () => resolve({ status: 0, text: '' }));
    sent.end();
  });

const uiOf = ({ temporalUiUrl }: { readonly temporalUiUrl: string }): Address => {
  const { hostname, port } = new URL(temporalUiUrl);
  return { host: hostname, port: Number(port) };
};

const secretsOf = [
  '/api/v1/namespaces',
  '/api/v1/namespaces/default/workflows',
  '/ledger',
  '/stats',
  '/v1/account',
  '/v1/batch-calls',
];

test.skipIf(process.platform !== 'linux')(
  'P3-3: no port of 127.0.0.1 that `up` opens tells a stranger’s name anything of workflows, calls or accounts',
  async () => {
    const ports = listening().filter(({ host }) => host === '127.0.0.1');
    expect(ports.length).toBeGreaterThan(8);
    for (const address of ports) {
      for (const path of secretsOf) {
        const { status, text } = await ask(address, path, { host: 'attacker.example' });
        expect({ address, path, told: status !== 0 && status < 400, text }).toMatchObject({ told: false });
      }
    }
  },
);

test.skipIf(process.platform !== 'linux')(
  'P3-3: what answers under every name is on an address that no web page can know',
  async () => {
    const hidden = listening().filter(({ host }) => host !== '127.0.0.1');
    expect(hidden).toHaveLength(1);
    expect(hidden[0]!.host).toMatch(/^127\.\d+\.\d+\.\d+$/);
  },
);

test('P3-3: the Temporal UI works at the address that `up` prints, and refuses other pages and names', async () => {
  const ui = uiOf(service.ready());
  expect(service.said()).toContain(service.ready().temporalUiUrl);
  const page = await ask(ui, '/', {});
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<html') });
  const [script = ''] = /\/_app\/immutable\/entry\/start\.[\w-]+\.js/.exec(page.text) ?? [];
  expect(await ask(ui, script, { host: `localhost:${ui.port}` })).toMatchObject({ status: 200 });
  const namespaces = await ask(ui, '/api/v1/namespaces', { origin: `http://${ui.host}:${ui.port}` });
  expect(namespaces).toMatchObject({ status: 200, text: expect.stringContaining('default') });

  const terminate = '/api/v1/namespaces/default/workflows/w/terminate';
  for (const host of ['attacker.example', `attacker.example:${ui.port}`, '127.0.0.1.nip.io', '']) {
    expect((await ask(ui, '/', { host })).status).toBe(421);
    expect((await ask(ui, terminate, { host, method: 'POST' })).status).toBe(421);
  }
  for (const origin of ['http://attacker.example', 'null', `https://${ui.host}:${ui.port}`]) {
    expect((await ask(ui, terminate, { origin, method: 'POST' })).status).toBe(403);
  }
});

test('P3-3: while Temporal is away its UI says so, and is there again with it', async () => {
  const ui = uiOf(service.ready());
  const before = service.ready().pids.temporal;
  service.signal('temporal', 'SIGKILL');
  await expect.poll(async () => (await ask(ui, '/', {})).status, { timeout: 60_000 }).toBe(502);
  await expect.poll(() => service.ready().pids.temporal, { timeout: 60_000 }).not.toBe(before);
  await expect.poll(async () => (await ask(ui, '/', {})).status, { timeout: 60_000 }).toBe(200);
});
