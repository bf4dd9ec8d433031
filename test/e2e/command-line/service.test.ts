import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, numbersWithScript, setUp, until } from '../running-service.js';
import { sharedServiceAsLocal, type SharedService } from '../shared-service.js';
import { hasTerminals, type User, userBeside } from './support.js';

let service: SharedService;
let user: User;

beforeAll(async () => {
  service = await sharedServiceAsLocal();
  user = userBeside(service);
  await setUp(service, '+15550100006');
});

afterAll(() => {
  rmSync(user.folder, { recursive: true, force: true });
});

const token = (): string => service.ready().token;

test('beside a running `up`, a command finds it without a setting, and says so', async () => {
  const { code, stdout } = await user.outdial(['whoami', '-o', 'json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'Local',
    url: service.ready().apiUrl,
    from: expect.stringContaining(service.folder),
  });
});

test('`api --list` has every operation of the document', async () => {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const { stdout } = await user.outdial(['api', '--list', '-q']);
  expect(stdout.trim().split('\n').sort()).toEqual(ids.sort());
});

test('every problem of a refused request is printed, and the exit code says what kind it was', async () => {
  const many = await user.outdial([
    'api',
    'POST',
    '/v2/sip/call',
    '-f',
    'sipCallTo=x',
    '-f',
    'maxCallDuration=0',
    '-f',
    'q=1',
  ]);
  expect(many.code).toBe(2);
  expect({
    names: ['sipCallTo', 'sipCallFrom', 'maxCallDuration', 'q'].filter((name) => many.stderr.includes(name)),
  }).toEqual({
    names: ['sipCallTo', 'sipCallFrom', 'maxCallDuration', 'q'],
  });
  const codes = [
    [['batch', 'show', 'batch_00000000-0000-7000-8000-000000000000'], {}, 4],
    [['whoami'], { OUTDIAL_URL: service.ready().apiUrl, OUTDIAL_TOKEN: 'wrong' }, 3],
    [['batch', 'list', '--limit', '0'], {}, 2],
    [['batch', 'create', 'nowhere.csv'], {}, 2],
    [['api', 'POST', '/v1/account'], {}, 2],
  ] as const;
  for (const [words, env, code] of codes)
    expect({ words, code: (await user.outdial(words, { env })).code }).toEqual({ words, code });
});

test('signing in keeps the token in a closed file, from standard input alone, and never prints it', async () => {
  const url = service.ready().apiUrl;
  const refused = await user.outdial(['login', '--url', url, '--profile', 'bad'], { input: 'not-a-token\n' });
  expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.not.stringContaining('not-a-token') });
  const done = await user.outdial(['login', '--url', url, '--profile', 'local'], { input: `${token()}\n` });
  expect(done.code).toBe(0);
  const listed = await user.outdial(['profile', 'list', '-o', 'json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'local', current: true }]);
  expect(`${done.stdout}${done.stderr}${listed.stdout}`).not.toContain(token());
  expect(statSync(join(user.folder, 'config', 'outdial', 'profiles.json')).mode & 0o777).toBe(0o600);
  expect((await user.outdial(['whoami', '--profile', 'local', '-q'])).stdout).toMatch(/^acc_/);
  expect((await user.outdial(['logout', '--profile', 'local'])).code).toBe(0);
});

test('with a key, commands sign tokens of their own, which the service accepts', async () => {
  const { body } = await service.request('POST', '/v1/account/keys', { name: 'laptop' });
  const args = ['login', '--url', service.ready().apiUrl, '--profile', 'keyed', '--key', String(body.keyId)];
  expect(await user.outdial(args, { input: String(body.secret) })).toMatchObject({ code: 0 });
  expect((await user.outdial(['whoami', '--profile', 'keyed', '-q'])).stdout).toMatch(/^acc_/);
  await user.outdial(['logout', '--profile', 'keyed']);
});

test.skipIf(!hasTerminals)('in a terminal, login asks for the token and does not show it', async () => {
  const words = ['login', '--url', service.ready().apiUrl, '--profile', 'typed'];
  const { code, stdout } = await user.inTerminal(words, `${token()}\r`);
  expect({ code, shows: stdout.includes(token().slice(0, 20)) }).toEqual({ code: 0, shows: false });
  expect(stdout).toContain('Token (not shown): ');
  expect(stdout).toContain('Signed in to');
  await user.outdial(['logout', '--profile', 'typed']);
});

const fileOf = (name: string, text: string): string => {
  writeFileSync(join(user.folder, name), text);
  return name;
};
const batches = async (): Promise<unknown[]> =>
  JSON.parse((await user.outdial(['batch', 'list', '-o', 'json'])).stdout) as unknown[];

test('`batch create` is a dry run: it names rows that would not be called, and makes nothing', async () => {
  const file = fileOf('dry.csv', csv(numbersWithScript(0, 3, 100), ['12025550100,No plus']));
  const { code, stdout, stderr } = await user.outdial(['batch', 'create', file]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('4 rows: 3 would be called, 1 would not');
  expect(stdout).toMatch(/5 +12025550100 +"12025550100" has no \+/);
  expect(stdout).toContain('Nothing has been made.');
  expect(await batches()).toEqual([]);
});

test('a file of which no number can be called ends with 2 and makes nothing, also with --start', async () => {
  const file = fileOf('bad.csv', 'phone_number\ncall me\n');
  const { code, stderr } = await user.outdial(['batch', 'create', file, '--start']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Nothing was made') });
  expect(await batches()).toEqual([]);
});

test('--start makes it and --watch follows it to the end, whose counts add up', async () => {
  const file = fileOf('renewals.csv', csv(numbersWithScript(0, 12, 200)));
  const words = ['batch', 'create', file, '--start', '--watch', '--retry', 'missed:5s', '-o', 'json'];
  const { code, stdout, stderr } = await user.outdial(words);
  expect(code).toBe(0);
  const batch = JSON.parse(stdout) as { batchId: string; counts: Record<string, number> };
  const statuses = Object.entries(batch.counts).filter(([name]) => name !== 'human' && name !== 'machine');
  expect(statuses.reduce((sum, [, count]) => sum + count, 0)).toBe(12);
  expect(stderr).toMatch(/completed: 12 of 12 over/);
  const exported = await user.outdial(['batch', 'export', batch.batchId]);
  expect(exported.stdout.trim().split('\n')).toHaveLength(13);
  const listed = await user.outdial(['batch', 'list', '-q', '--search', 'renewals']);
  expect(listed.stdout).toBe(`${batch.batchId}\n`);
});

test('the same --idempotency-key makes one batch call however often the command is run', async () => {
  const file = fileOf('once.csv', csv(numbersWithScript(0, 1, 300)));
  const words = ['batch', 'create', file, '--start', '-q', '--idempotency-key', 'once'];
  const [first, second] = [await user.outdial(words), await user.outdial(words)];
  expect(first.stdout).toMatch(/^batch_/);
  expect(second).toEqual(first);
});

test('a batch call is paused, says why it waits, takes more people, and is cancelled; watching it then ends with 7', async () => {
  const file = fileOf('later.csv', csv(numbersWithScript(0, 2, 400)));
  const inTwoMonths = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  const { stdout } = await user.outdial([
    'batch',
    'create',
    file,
    '--schedule',
    `${inTwoMonths} 09:30 America/New_York`,
    '-q',
  ]);
  const id = stdout.trim();
  expect((await user.outdial(['batch', 'pause', id])).stdout).toContain('is paused');
  const show = async () => (await user.outdial(['batch', 'show', id])).stdout;
  await until(async () => /Status +scheduled \(paused\)/.test(await show()));
  expect(await show()).toMatch(/Waiting for +\S+/);
  expect((await user.outdial(['batch', 'resume', id])).code).toBe(0);
  const added = await user.outdial(['batch', 'add', id, '--number', '+15550100777', '-f', 'name=Ann']);
  expect(added.stdout).toContain('1 added, 0 there already, 0 refused');
  const more = fileOf('more.csv', 'phone_number,name\n+15550100778,Ben\nnobody,Cy\n');
  expect((await user.outdial(['batch', 'add', id, more])).stdout).toMatch(
    /1 added, 0 there already, 1 refused\n.*\n +2 +nobody/,
  );
  expect((await user.outdial(['batch', 'cancel', id])).stdout).toContain('is being cancelled');
  expect(await user.outdial(['batch', 'watch', id])).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('was cancelled'),
  });
  expect((await user.outdial(['batch', 'pause', id])).code).toBe(5);
});

test.skipIf(!hasTerminals)(
  'in a terminal, watching draws a bar in its place and the sentence why it waits',
  async () => {
    const file = fileOf('drawn.csv', csv(numbersWithScript(0, 30, 500)));
    const { code, stdout } = await user.inTerminal([
      'batch',
      'create',
      file,
      '--start',
      '--watch',
      '--max-concurrent',
      '2',
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain('█');
    expect(stdout).toMatch(/\d+\/30/);
    expect(stdout).toContain('\u001B[0J'); // drawn again in its place
    expect(stdout).toMatch(/wait/);
    expect(stdout).toMatch(/is completed: 30 of 30 over/);
  },
);

test('no command leaves the token in what it prints, whatever goes wrong', async () => {
  const env = { OUTDIAL_LOG_LEVEL: 'debug' };
  const wrong = [
    ['api', 'GET', '/v1/nothing'],
    ['batch', 'show', 'x'],
    ['api', 'POST', '/v1/agents', '--input', '-'],
    ['whoami', '-o', 'json'],
  ];
  for (const words of wrong) {
    const { stdout, stderr } = await user.outdial(words, { env });
    expect({ words, leaks: `${stdout}${stderr}`.includes(token()) }).toEqual({ words, leaks: false });
  }
});
