import { execFile, type ExecFileOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { clientOf } from './client.js';
import { processesOn, runService, until, type RunningService } from './running-service.js';

const program = join(import.meta.dirname, '../../dist/cli/main.js');
let service: RunningService;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (command: string, args: readonly string[], options: ExecFileOptions): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(command, args, { ...options, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, stdout, stderr }),
    );
  });

const outdial = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Ended> =>
  run(process.execPath, [program, ...args], { cwd, env: { ...process.env, ...env } });

beforeAll(async () => {
  service = await runService({ speed: 50 });
});

afterAll(async () => {
  await service.stop();
  service.removeData();
});

test('the ready file says where everything is, and all of it answers', async () => {
  const ready = JSON.parse(readFileSync(join(service.folder, 'ready-for-test.json'), 'utf8')) as Record<string, string>;
  expect(Object.keys(ready).sort()).toEqual(
    [
      ...['apiUrl', 'carrierLedger', 'carrierUrl', 'docsUrl', 'encryptionKeys', 'pids', 'postgresPort'],
      ...['provider', 'temporalAddress', 'temporalUiUrl', 'token'],
    ].sort(),
  );
  expect(Object.keys(ready.pids!).sort()).toEqual([
    'agent',
    'api',
    'carrier',
    'dialer',
    'postgres',
    'temporal',
    'worker',
  ]);
  expect(JSON.parse(readFileSync(join(service.folder, 'ready.json'), 'utf8'))).toEqual(ready);
  for (const url of [
    ready.docsUrl,
    `${ready.apiUrl}/console`,
    ready.temporalUiUrl,
    `${ready.apiUrl}/readyz`,
    `${ready.carrierUrl}/stats`,
  ]) {
    expect({ url, status: (await fetch(url!)).status }).toEqual({ url, status: 200 });
  }
  expect(existsSync(ready.carrierLedger!)).toBe(true);
});

test('the playgroundUrl of a new agent opens a page that comes with the build', async () => {
  const languages = { english: { prompt: 'Be kind.' } };
  const { body } = await service.request('POST', '/v1/agents', { name: 'Ann', languages });
  const page = await fetch(String(body.playgroundUrl));
  expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
    ...{ status: 200, type: 'text/html; charset=utf-8' },
  });
  const [script] = /\/console\/assets\/playground-[\w-]+\.js/.exec(await page.text()) ?? [];
  const { status, headers } = await fetch(`${service.ready().apiUrl}${script ?? ''}`);
  expect({ status, caching: headers.get('cache-control') }).toEqual({
    ...{ status: 200, caching: 'public, max-age=31536000, immutable' },
  });
});

/** Exchanges the code of a printed address, as the console does. */
async function signIn(address: string): Promise<{ status: number; token?: string }> {
  const { origin, pathname, hash } = new URL(address);
  expect(pathname).toBe('/console');
  const response = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ code: hash.replace('#code=', '') }),
  });
  return { status: response.status, ...((await response.json()) as { token?: string }) };
}

test('`outdial console` prints an address that signs in once, to the account of this machine, and ends the one of `up`', async () => {
  const [printed = ''] = /http:\/\/\S+\/console#code=\S+/.exec(service.said()) ?? [];
  expect(printed).not.toBe('');
  const { code, stdout } = await outdial(['console', '--data', service.folder]);
  expect(code).toBe(0);
  expect((await signIn(printed)).status).toBe(403);

  const { status, token = '' } = await signIn(stdout.trim());
  expect(status).toBe(200);
  const { accountId } = (await service.request('GET', '/v1/account')).body;
  expect((await clientOf(service.ready().apiUrl, token).request('GET', '/v1/account')).body).toMatchObject({
    accountId,
  });
  expect((await signIn(stdout.trim())).status).toBe(403);
  expect(readdirSync(join(service.folder, 'sign-in'))).toEqual([]);
  expect(statSync(join(service.folder, 'sign-in')).mode & 0o777).toBe(0o700);
});

test('README, "Your first batch": every command runs as it stands, beside a running `up`', async () => {
  const folder = temporaryFolder('readme');
  const repository = join(import.meta.dirname, '../..');
  symlinkSync(service.folder, join(folder, '.outdial'));
  symlinkSync(join(repository, 'examples'), join(folder, 'examples'));
  const section = readFileSync(join(repository, 'README.md'), 'utf8').split('## Your first batch')[1] ?? '';
  const [, commands] = /```sh\n(.*?)```/s.exec(section) ?? [];
  try {
    const { code, stdout, stderr } = await run('sh', ['-e', '-c', commands ?? ''], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"total":94,"pending":0');
    const called = readFileSync(join(folder, 'reminders-called.csv'), 'utf8').trim().split('\n');
    expect(called).toHaveLength(95);
    expect(called.join()).not.toContain('country_not_allowed');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a second `up` on the same data is refused by name while the first lives', async () => {
  const { code, stderr } = await outdial(['up', '--data', service.folder, '--port', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain(`Outdial already runs on ${service.folder}`);
  expect((await service.request('GET', '/v1/batch-calls')).status).toBe(200);
});

test('D4: beside a running `up`, commands find its database and keys by themselves and say so', async () => {
  const { code, stdout, stderr } = await outdial(['account', 'create', 'Acme', '--data', service.folder, '--json']);
  expect({ code, stderr }).toEqual({
    ...{
      code: 0,
      stderr: `outdial: works on the service that runs on ${service.folder} (process ${service.pid}).\n`,
    },
  });
  const { token, keyId } = JSON.parse(stdout) as Record<string, string>;
  const acme = clientOf(service.ready().apiUrl, token!);
  expect((await acme.request('GET', '/v1/account')).body).toMatchObject({ name: 'Acme' });

  // From a folder of its own, where nothing says where the service is: found in the list of the user's services.
  const home = { XDG_STATE_HOME: service.stateFolder };
  const issued = await outdial(['token', 'issue', '--key', keyId!, '--permissions', 'read'], home, service.stateFolder);
  expect({ code: issued.code, stderr: issued.stderr }).toEqual({ code: 0, stderr });
  const reader = clientOf(service.ready().apiUrl, issued.stdout.trim());
  expect((await reader.request('GET', '/v1/account')).status).toBe(200);
  expect((await reader.request('POST', '/v1/account/stop-dialing')).status).toBe(403);

  // Keys that the service does not have would seal what it cannot open: those in use are taken.
  const wrong = { OUTDIAL_ENCRYPTION_KEYS: `other:${Buffer.alloc(32, 7).toString('base64')}` };
  const second = await outdial(['account', 'create', 'Other', '--data', service.folder, '--json'], wrong);
  const other = clientOf(service.ready().apiUrl, (JSON.parse(second.stdout) as Record<string, string>).token!);
  expect((await other.request('GET', '/v1/account')).status).toBe(200);

  const audit = await outdial(['audit', '--data', service.folder]);
  expect({ code: audit.code, stderr: audit.stderr }).toEqual({ code: 0, stderr });
});

test('what opens secrets is readable by its owner alone, and no log holds a token', () => {
  for (const name of [
    'encryption-keys',
    'access.json',
    'ready.json',
    'ready-for-test.json',
    'carrier-ledger.jsonl',
    'postgres/password',
    'logs',
    'temporal',
  ]) {
    expect({ name, mode: statSync(join(service.folder, name)).mode & 0o077 }).toEqual({ name, mode: 0 });
  }
  const { token } = service.ready();
  const key = readFileSync(join(service.folder, 'encryption-keys'), 'utf8').trim().split(':')[1]!;
  const logs = join(service.folder, 'logs');
  for (const name of readdirSync(logs)) {
    const text = readFileSync(join(logs, name), 'utf8');
    expect({ name, leaks: text.includes(token) || text.includes(key) }).toEqual({ name, leaks: false });
  }
});

test('the demo works on a service that runs already, on a file of the user’s own, and leaves it running', async () => {
  const lists = ['/v1/agents', '/v1/batch-calls', '/v2/sip/phone-numbers', '/v2/sip/routing-rule'];
  const ofUser = () =>
    Promise.all([...lists, '/v1/account/guardrails'].map(async (path) => (await service.request('GET', path)).body));
  const before = await ofUser();
  const file = join(service.folder, 'mine.csv');
  writeFileSync(file, 'phone_number,name\n+12025550120,Ann\n+12025550117,Bob\nnobody,Cy\n');
  const { code, stdout, stderr } = await outdial(['demo', '--data', service.folder, '--file', file, '--json']);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const outcome = JSON.parse(stdout) as Record<string, unknown>;
  expect(Object.keys(outcome).sort()).toEqual(
    ['batch', 'links', 'records', 'rejectedRows', 'seconds', 'stats', 'webhooks'].sort(),
  );
  expect(outcome).toMatchObject({
    batch: { status: 'completed', simulated: true, recordsUploaded: 2, batchName: 'mine.csv' },
    stats: { total: 2, answered: 2 },
    records: [expect.anything(), expect.anything()],
    rejectedRows: [{ row: 4, value: 'nobody', reason: 'invalid_number' }],
    webhooks: [
      { event: 'batchcall-started', status: 'running', verified: true },
      { event: 'batchcall-completed', status: 'completed', verified: true },
    ],
  });
  // All of it is in an account of its own: that of the user of `up` is as it was.
  expect(await ofUser()).toEqual(before);
  const { token } = JSON.parse(readFileSync(join(service.folder, 'demo-access.json'), 'utf8')) as { token: string };
  const demo = clientOf(service.ready().apiUrl, token);
  expect((await demo.request('GET', '/v1/account')).body).toMatchObject({ name: 'Demo' });
  expect((await demo.request('GET', '/v1/batch-calls')).body).toMatchObject({ data: [{ batchName: 'mine.csv' }] });
});

test('the demo fails, and says why, if the batch does not complete', async () => {
  const file = join(service.folder, 'wrong.csv');
  writeFileSync(file, 'Phone Number,name\n+12025550120,Ann\n');
  const { code, stdout } = await outdial(['demo', '--data', service.folder, '--file', file]);
  expect(code).toBe(1);
  expect(stdout).toContain('This did not hold:');
  expect(stdout).toContain('the batch is parse_failed');
  expect(stdout).toContain('Phone Number');
});

test('`up` and `demo` dial nothing but the simulator', async () => {
  const commands = ['up', 'demo'];
  const settings = { OUTDIAL_PROVIDER: 'livekit' };
  const ended = await Promise.all(commands.map((command) => outdial([command, '--data', service.folder], settings)));
  expect(ended.map(({ code }) => code)).toEqual([1, 1]);
  for (const { stderr } of ended) expect(stderr).toContain('dials nothing but the carrier simulator');
});

test('a part that dies is started again, and the ready file names its new process', async () => {
  const before = service.ready().pids;
  service.signal('dialer', 'SIGKILL');
  await until(() => service.ready().pids.dialer !== before.dialer);
  expect(service.ready().pids).toEqual({ ...before, dialer: service.ready().pids.dialer });
});

test('Ctrl-C ends every process and takes the ready files away', async () => {
  await service.stop();
  expect(processesOn(service.folder)).toEqual([]);
  expect(existsSync(join(service.folder, 'ready.json'))).toBe(false);
  expect(existsSync(join(service.folder, 'ready-for-test.json'))).toBe(false);
});

test('D4: after `up` has ended, commands start its PostgreSQL for themselves, and leave nothing running', async () => {
  const { code, stdout, stderr } = await outdial(['account', 'list', '--data', service.folder]);
  expect({ code, stderr }).toEqual({
    ...{
      code: 0,
      stderr: `outdial: nothing runs on ${service.folder}; its PostgreSQL is started for this command.\n`,
    },
  });
  expect(stdout).toMatch(/ {2}Acme$/m);
  expect(processesOn(service.folder)).toEqual([]);
  expect(existsSync(join(service.folder, 'up.lock'))).toBe(false);
  const made = await outdial(['account', 'create', 'Later', '--data', service.folder]);
  expect(made.code).toBe(0);
});
