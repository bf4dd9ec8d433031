import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService, setUp } from '../running-service.js';
import { hasTerminals, type User, userBeside } from './support.js';

let service: RunningService;
let user: User;
let agentId: string;
const from = '+15550100010';

beforeAll(async () => {
  service = await runService({ speed: 50 });
  user = userBeside(service);
  ({ agentId } = await setUp(service, from));
});

afterAll(async () => {
  await service.stop();
  service.removeData();
  rmSync(user.folder, { recursive: true, force: true });
});

/** Standard output of a command that has to end with 0. */
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await user.outdial(words);
  expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' });
  return stdout.trim();
}

const shown = async (...words: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await printed(...words, '-o', 'json')) as Record<string, unknown>;

const secret = 'a password with spaces';

test('a gateway of either direction is made with all its settings, shown, changed field by field, and deleted', async () => {
  const id = await printed(
    ...['gateway', 'create', 'outbound', '--address', 'sip.example.com:5061', '--number', '+15550100011', '-q'],
    ...['--number', '+15550100012', '--transport', 'tcp', '--srtp', '--max-concurrent', '20', '--reserved', '2'],
    ...['--per-second', '2.5', '--ring-seconds', '30', '--max-call-seconds', '600', '--from-host', 'a.example.com'],
    ...['--header', 'X-Tenant=acme', '--number-format', 'national', '--tag', 'eu', '--metadata', '{"contract":"A"}'],
    ...['--allow-number', '+1*', '--dtmf', '--noise-cancellation'],
  );
  expect(id).toMatch(/^gwo_/);
  const made = {
    id,
    name: '+15550100011',
    numbers: ['+15550100011', '+15550100012'],
    ...{ address: 'sip.example.com:5061', transport: 'tcp', mediaEncryption: 'enable', enableDtmf: true },
    ...{ maxConcurrentCalls: 20, reservedCalls: 2, callsPerSecond: 2.5, ringTimeoutSeconds: 30, maxCallSeconds: 600 },
    ...{ fromHost: 'a.example.com', headers: { 'X-Tenant': 'acme' }, numberFormat: 'national', tags: ['eu'] },
    ...{ metadata: { contract: 'A' }, allowedNumbers: ['+1*'], noiseCancellation: true, record: false },
  };
  expect(await shown('gateway', 'show', id)).toMatchObject(made);
  expect(await printed('gateway', 'show', id)).toMatch(/Direction +outbound[^]*Most seconds of a call +600/);

  await printed('gateway', 'set', id, '--max-concurrent', '30', '--no-srtp', '--tag', 'none', '--from-host', 'none');
  const { fromHost, ...rest } = made;
  const changed = await shown('gateway', 'show', id);
  expect(changed).toMatchObject({ ...rest, maxConcurrentCalls: 30, mediaEncryption: 'disable', tags: [] });
  expect(changed).not.toHaveProperty('fromHost', fromHost);

  const inbound = await printed(
    'gateway',
    'create',
    'inbound',
    '--name',
    'In',
    '--allow-address',
    '198.51.100.7',
    '-q',
  );
  await printed('gateway', 'set', inbound, '--number', '+15550100011', '--name', 'Reception');
  expect(await printed('gateway', 'list', '-q', '--search', 'Reception')).toBe(inbound);
  expect(await user.outdial(['gateway', 'set', inbound, '--per-second', '2'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('callsPerSecond'),
  });

  for (const each of [id, inbound]) {
    expect(await user.outdial(['gateway', 'delete', each])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    await printed('gateway', 'delete', each, '--yes');
    expect((await user.outdial(['gateway', 'show', each])).code).toBe(4);
  }
  expect(await printed('number', 'list', '-q', '--search', '+15550100012')).toBe('+15550100012');
});

test('the password of a gateway comes from standard input, is never printed, and stays when others are changed', async () => {
  const create = ['gateway', 'create', 'outbound', '--name', 'Sealed', '--address', 'sip.example.com', '-o', 'json'];
  const made = await user.outdial([...create, '--user', 'acme'], { input: `${secret}\n` });
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('"acme"') });
  const { id } = JSON.parse(made.stdout) as { id: string };
  const other = await user.outdial(['gateway', 'set', id, '--new-password'], { input: 'another one\n' });
  expect(other).toMatchObject({ code: 0, stderr: '' });
  const none = await user.outdial(['gateway', 'set', id, '--user', 'acme']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('password of the trunk') });
  const both = await user.outdial(['gateway', 'set', id, '--user', 'acme', '--new-password'], { input: secret });
  expect(both.code).toBe(2);
  expect(await shown('gateway', 'show', id)).toMatchObject({ auth: { username: 'acme' } });
  await printed('gateway', 'set', id, '--user', 'none');
  expect(await shown('gateway', 'show', id)).not.toHaveProperty('auth');
  const nobody = await user.outdial(['gateway', 'set', id, '--new-password'], { input: secret });
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('--user') });
  for (const { stdout, stderr } of [made, other, none, both, nobody]) {
    expect(`${stdout}${stderr}`).not.toMatch(/a password with spaces|another one/);
  }
  const help = await printed('gateway', 'create', '--help');
  expect(help).not.toContain('--password');
});

test.skipIf(!hasTerminals)(
  'on a terminal the password of a gateway is asked for, and neither shown nor in `ps`',
  async () => {
    const words = [
      'gateway',
      'create',
      'outbound',
      '--name',
      'Asked',
      '--address',
      'sip.example.com',
      '--user',
      'acme',
    ];
    let processes = '';
    const watch = setInterval(() => {
      processes += execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    }, 50);
    const { code, stdout } = await user.inTerminal(words, `${secret}\r`).finally(() => clearInterval(watch));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Made gwo_') });
    expect(processes).toContain('--user acme');
    expect(`${stdout}${processes}`).not.toContain(secret);
  },
);

test('what cannot be a gateway is refused before or by the service, with words and exit code 2', async () => {
  const refusal = async (...words: string[]): Promise<string> => {
    const { code, stderr } = await user.outdial(['gateway', ...words]);
    expect({ words, code }).toEqual({ words, code: 2 });
    return stderr;
  };
  expect(await refusal('create', 'sideways')).toContain('outbound');
  expect(await refusal('create', 'outbound', '--name', 'A')).toContain('--address');
  expect(await refusal('create', 'inbound')).toContain('--name');
  expect(await refusal('create', 'inbound', '--name', 'A', '--metadata', '{')).toContain('--metadata');
  expect(await refusal('create', 'outbound', '--address', 'a b', '--name', 'A', '--header', 'From=x')).toMatch(
    /address[^]*headers/,
  );
  expect(await refusal('set', 'gwo_1')).toContain('Say what to change');
  expect(await refusal('set', 'num_1', '--name', 'A')).toContain('gwo_');
});

test('numbers and rules are shown, changed and taken away by commands', async () => {
  const number = '+15550100020';
  await printed('number', 'create', number, '--trunk', 'sip.example.com');
  expect(await printed('number', 'show', number)).toMatch(/Number +\+15550100020[^]*Outbound +gwo_/);
  const rule = await printed('rule', 'create', '--number', number, '-q');
  await printed('rule', 'set', rule, '--name', 'Evenings', '--agent', agentId);
  expect(await printed('rule', 'show', rule)).toMatch(/Name +Evenings[^]*Numbers +\+15550100020/);
  expect((await user.outdial(['number', 'release', number, '--yes'])).code).toBe(5);
  expect((await user.outdial(['rule', 'delete', rule])).stderr).toContain('--yes');
  await printed('rule', 'delete', rule, '--yes');
  const { phoneNumber } = (await shown('number', 'show', number)) as { phoneNumber: { phoneNumberId: string } };
  expect(await printed('number', 'detach', phoneNumber.phoneNumberId, '--yes')).toContain('no gateways');
  expect(await shown('number', 'show', number)).toMatchObject({ outbound: null, inbound: null });
  await printed('number', 'release', number, '--yes');
  expect((await user.outdial(['number', 'show', number])).code).toBe(4);
});

test('all dialing of the account is stopped and resumed, and the audit log has both', async () => {
  expect(await printed('dialing', 'stop')).toContain('dialing resume');
  const call = await user.outdial(['call', 'make', '+14155550100', '--from', from]);
  expect(call.code).toBe(3);
  await printed('dialing', 'resume');
  const actions = await printed('audit-log', 'list', '--action', 'account', '--limit', '2', '-o', 'csv');
  expect(actions).toMatch(/account\.resume-dialing[^]*account\.stop-dialing/);
  expect((await user.outdial(['audit-log', 'list', '--from', 'yesterday'])).code).toBe(2);
  expect(await printed('audit-log', 'list', '--to', '2020-01-01', '-q')).toBe('');
});

test('SIP webhooks are made, changed and deleted', async () => {
  const create = ['webhook', 'create', 'https://example.com/hooks', '--event', 'call-hangup'];
  const id = await printed(...create, '-q');
  await printed('webhook', 'set', id, '--event', 'call-answered', '--event', 'call-missed');
  expect(await shown('webhook', 'show', id)).toMatchObject({ events: ['call-answered', 'call-missed'] });
  expect((await user.outdial(create.slice(0, 3))).stderr).toContain('--event');
  await printed('webhook', 'delete', id, '--yes');
  expect(await printed('webhook', 'list', '-q')).toBe('');
});

test('a person is shown with what the account has about them, and erased only with --yes', async () => {
  const number = '+14155550990';
  const id = await printed('call', 'make', number, '--from', from, '--wait', '-q');
  await printed('dnc', 'add', number, '--reason', 'asked');
  expect(await printed('contact', 'show', number)).toMatch(new RegExp(`do-not-call list since .*: asked[^]*${id}`));
  expect((await user.outdial(['contact', 'erase', number])).stderr).toContain('--yes');
  expect(await printed('contact', 'erase', number, '--yes')).toContain('Erased: 1 call');
  expect(await printed('call', 'list', '-q', '--search', number)).toBe('');
  expect(await printed('stats', '--by', 'status')).toMatch(/KEY +CALLS/);
});

test('versions of an agent are listed, and it is undeployed and deleted once nothing uses it', async () => {
  expect(await printed('agent', 'versions', agentId)).toMatch(/ver_\S+ +1 .*yes/);
  await printed('agent', 'undeploy', agentId, '--yes');
  expect(await printed('agent', 'show', agentId)).toMatch(/Status +inactive/);
  expect((await user.outdial(['agent', 'delete', agentId, '--yes'])).code).toBe(5);
});
