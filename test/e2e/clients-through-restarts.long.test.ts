import { execFile, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { noBrowser, openBrowser } from '../browser/browser.js';
import { program, type User, userBeside } from './command-line/support.js';
import {
  batchIs,
  csv,
  mostOfLongMs,
  numbersWithScript,
  type Role,
  runService,
  type RunningService,
  setUp,
  until,
  webhookReceiver,
} from './running-service.js';

/*
 * Clients that wait for a batch call go on while the service is restarted, part by part and as a whole, with SIGTERM and with kill -9:
 * the command line, both clients, `outdial listen`, `outdial mcp` and the console.
 */
interface Batch {
  readonly batchId: string;
  readonly batchName: string;
  readonly status: string;
}
/** What the test uses of the TypeScript client, whose types are checked with settings of their own. */
interface TypeScriptClient {
  readonly batchCalls: { list(asked?: object): Promise<{ readonly data: readonly Batch[] }> };
  waitForBatch(batchId: string, options: { readonly intervalSeconds: number }): Promise<Batch>;
  createBatchFromFile(path: string, fields: object, key: { readonly idempotencyKey: string }): Promise<Batch>;
}
const clientInTypeScript = '../../clients/typescript/src/index.js';

let service: RunningService;
let user: User;
let phoneNumber: string;

beforeAll(async () => {
  service = await runService({ speed: 20 });
  user = userBeside(service);
  ({ phoneNumber } = await setUp(service));
});
afterAll(async () => {
  await service.stop();
  service.removeData();
  rmSync(user.folder, { recursive: true, force: true });
});

/** Each of them once, on its own, and then together. */
const restarts: readonly (readonly [signal: NodeJS.Signals, ...roles: Role[]])[] = [
  ['SIGTERM', 'api'],
  ['SIGKILL', 'api'],
  ['SIGKILL', 'worker'],
  ['SIGTERM', 'dialer'],
  ['SIGKILL', 'dialer'],
  ['SIGKILL', 'postgres'],
  ['SIGKILL', 'temporal'],
  ['SIGTERM', 'worker', 'api'],
  ['SIGKILL', 'api', 'worker', 'dialer', 'postgres', 'temporal'],
];

const isBack = (role: Role): number => service.said().split(`${role} runs again`).length;

async function restarted(signal: NodeJS.Signals, roles: readonly Role[]): Promise<void> {
  const before = roles.map(isBack);
  for (const role of roles) service.signal(role, signal);
  await until(() => roles.every((role, place) => isBack(role) > before[place]!), {
    seen: () => `${signal} of ${roles.join(', ')}: ${service.said().slice(-2_000)}`,
  });
}

/** A server that counts what `outdial listen` posts to it, by its id. */
async function forwarded(): Promise<{ url: string; times: Map<string, number>; server: Server }> {
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    times.set(id, (times.get(id) ?? 0) + 1);
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, times, server };
}

const run = promisify(execFile);

/** Asks once more with the same key when the client has given up: on a busy machine a restart takes longer than it waits. */
async function untilMade(make: () => Promise<Batch>): Promise<Batch> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await make();
    } catch (error) {
      expect(String(error)).toContain('The service does not answer.');
      if (tried === 20) throw error;
    }
  }
}

/** The Python that has what the client in Python needs; undefined if there is none here. */
const pythonHere = (): Promise<string | undefined> =>
  run(process.execPath, ['scripts/write-python-client.mjs']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** Waits for a batch as a program in Python does. @returns once it has seen the batch: how it ends */
async function inPython(python: string, batchId: string): Promise<{ readonly end: Promise<string> }> {
  const code =
    'import os, outdial; client = outdial.connect(os.environ["URL"], token=os.environ["TOKEN"]); ' +
    'seen = lambda batch: print(batch.status.value, flush=True); ' +
    'outdial.wait_for_batch(client, os.environ["BATCH"], interval_seconds=0.5, on_progress=seen)';
  const { apiUrl: URL, token: TOKEN } = service.ready();
  const env = { ...process.env, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1', URL, TOKEN };
  const child = spawn(python, ['-c', code], { env: { ...env, BATCH: batchId }, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  const end = new Promise<string>((resolve) =>
    child.once('close', () => resolve(printed.trim().split('\n').at(-1) ?? '')),
  );
  await until(() => printed !== '');
  return { end };
}

test(
  'clients of all kinds go on through restarts of every process, no batch is made twice and nobody is called twice',
  { timeout: mostOfLongMs },
  async () => {
    const { apiUrl, token } = service.ready();
    const python = await pythonHere();
    const webhooks = await webhookReceiver(service);
    const forwards = await forwarded();
    const listening = user.started(['listen', '--forward-to', forwards.url]);
    onTestFinished(() => listening.end());
    await until(() => listening.printed().includes('Posting the webhooks'), { seen: () => listening.printed() });
    const { Outdial } = (await import(clientInTypeScript)) as {
      Outdial: new (options: object) => TypeScriptClient;
    };
    const outdial = new Outdial({ url: apiUrl, token });
    const mcp = new McpClient({ name: 'test', version: '1' });
    const home = { XDG_STATE_HOME: service.stateFolder, XDG_CONFIG_HOME: user.folder, OUTDIAL_DATA: '' };
    await mcp.connect(
      new StdioClientTransport({
        ...{
          command: process.execPath,
          args: [program, 'mcp'],
          env: { ...process.env, ...home },
        },
        cwd: user.folder,
      }),
    );

    const first = [...numbersWithScript(0, 60, 1_000), ...numbersWithScript(7, 60, 2_000)];
    writeFileSync(join(user.folder, 'people.csv'), csv(first));
    const watched = user.outdial([
      ...['batch', 'create', 'people.csv', '--start', '--watch', '--name', 'Watched', '--from', phoneNumber],
      ...['--webhook', webhooks.url, '--max-concurrent', '2'],
    ]);
    await until(async () => (await outdial.batchCalls.list()).data.length === 1);
    const { batchId } = (await outdial.batchCalls.list()).data[0]!;
    const watchedAgain = user.outdial(['batch', 'watch', batchId]);
    const waited = outdial.waitForBatch(batchId, { intervalSeconds: 0.5 });
    const fromPython = python === undefined ? undefined : await inPython(python, batchId);
    const browser = noBrowser === undefined ? await openBrowser() : undefined;
    const page = await browser?.newPage();
    await page?.addInitScript({ content: `sessionStorage.setItem('outdial.token', ${JSON.stringify(token)})` });
    await page?.goto(`${apiUrl}/console/batches/${batchId}`);
    await page?.getByText('Watched').first().waitFor();

    const others: string[] = [];
    for (const [round, [signal, ...roles]] of restarts.entries()) {
      const one = restarted(signal, roles);
      const file = { name: `b${round}.csv`, content: csv(numbersWithScript(0, 5, 10_000 + 100 * round)) };
      const path = join(user.folder, file.name);
      writeFileSync(path, file.content);
      // Some of these requests lose their answers, and are sent again.
      const fields = {
        ...{ name: `Batch ${round}`, phoneNumber },
        webhook: { endpoint: webhooks.url, events: ['batchcall-started', 'batchcall-completed'] },
      };
      const made = untilMade(() => outdial.createBatchFromFile(path, fields, { idempotencyKey: `round ${round}` }));
      const [batch] = await Promise.all([made, one]);
      others.push(batch.batchId);
      const asked = await mcp.callTool({ name: 'batchCalls_get', arguments: { batchId } }, undefined, {
        timeout: 300_000,
      });
      expect(JSON.stringify(asked.content)).toContain(batchId);
    }
    expect(await watched).toMatchObject({ code: 0 });
    expect(await watchedAgain).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is completed: 120 of 120 over') as string,
    });
    expect((await waited).status).toBe('completed');
    if (fromPython !== undefined) expect(await fromPython.end).toBe('completed');
    for (const each of others) await batchIs(service, each, 'completed');
    const { data } = await outdial.batchCalls.list({ query: { perPage: 100 } });
    expect(data.map(({ batchName }) => batchName).sort()).toEqual(
      ['Watched', ...restarts.map((_, round) => `Batch ${round}`)].sort(),
    );

    if (page !== undefined) {
      await page.getByText('Completed', { exact: false }).first().waitFor({ timeout: 60_000 });
      await browser?.close();
    }
    const invites = service.ledger().filter(({ event }) => event === 'invite');
    const ofAttempts = invites.map(({ callId, attempt }) => `${callId}/${attempt}`);
    expect(ofAttempts.filter((key, place) => ofAttempts.indexOf(key) !== place)).toEqual([]);
    expect(new Set(invites.map(({ to }) => to)).size).toBe(first.length + 5 * restarts.length);

    const ids = new Set(webhooks.received.map(({ id }) => id));
    expect(ids.size).toBe(2 * (1 + restarts.length));
    await until(() => [...ids].every((id) => forwards.times.has(id)), { seen: () => listening.printed() });
    expect([...forwards.times].filter(([, times]) => times > 1)).toEqual([]);
    await mcp.close();
    webhooks.close();
    forwards.server.close();
  },
);
