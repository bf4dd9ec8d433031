import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeLanguageModel, type FakeLanguageModel } from '../../workflow/language-model.js';
import { inDatabase } from '../database.js';
import { numbersWithScript, runService, type RunningService, until, webhookReceiver } from '../running-service.js';
import { hasTerminals, program, type User, userBeside } from './support.js';

let service: RunningService;
let user: User;
let model: FakeLanguageModel;
let agentId: string;
const from = '+15550100077';
const config = {
  name: 'Reminder',
  defaultLanguage: 'english',
  languages: {
    english: {
      prompt: 'Remind {{first_name}}.',
      greeting: { text: 'Hello {{first_name}}, this is the clinic.' },
      llm: [{ model: 'custom/house' }],
    },
  },
};

beforeAll(async () => {
  model = await fakeLanguageModel();
  service = await runService({ speed: 50, env: { OUTDIAL_CUSTOM_LLM_URL: model.url } });
  user = userBeside(service);
  keep('agent.json', config);
  agentId = await printed('agent', 'create', 'agent.json', '-q');
});

afterAll(async () => {
  await service.stop();
  service.removeData();
  await model.close();
  rmSync(user.folder, { recursive: true, force: true });
});

const keep = (name: string, value: unknown): void => writeFileSync(join(user.folder, name), JSON.stringify(value));

/** Standard output of a command that has to end with 0. */
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await user.outdial(words);
  expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' });
  return stdout.trim();
}

test('number, rule and agent are made by commands alone, and a call goes by them', async () => {
  expect(agentId).toMatch(/^agt_/);
  expect(await printed('number', 'create', from, '--trunk', 'sip.example.com', '--transport', 'udp', '-q')).toBe(from);
  const rule = await printed('rule', 'create', '--number', from, '-q');
  expect(rule).toMatch(/^rule_/);
  expect(await printed('rule', 'list', '-q')).toBe(rule);
  const [answers = ''] = numbersWithScript(0, 1, 700);
  expect(await printed('call', 'make', answers, '--from', from, '--wait')).toMatch(/Status +ended/);
});

test('the password of a trunk is read from standard input, and never printed', async () => {
  const words = ['number', 'create', '+15550100078', '--trunk', 'sip.example.com', '--user', 'acme', '-o', 'json'];
  const { code, stdout, stderr } = await user.outdial(words, { input: 'a very long secret\n' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"acme"');
  expect(`${stdout}${stderr}`).not.toContain('a very long secret');
});

test('`agent diff` names each place and ends with 1; `agent update` shows it and makes a version; alike ends with 0', async () => {
  const changed = structuredClone(config);
  changed.languages.english.greeting.text = 'Good morning {{first_name}}.';
  keep('changed.json', changed);
  expect(await printed('agent', 'diff', agentId, 'agent.json')).toContain('is like agent.json');
  const differs = await user.outdial(['agent', 'diff', agentId, 'changed.json']);
  expect(differs).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/- languages\.english\.greeting\.text: .*Hello[^]*\+ .*Good morning/),
    stderr: expect.stringContaining('differ in 1 place'),
  });
  const updated = await user.outdial(['agent', 'update', agentId, 'changed.json']);
  expect(updated).toMatchObject({ code: 0, stderr: expect.stringContaining('+ languages.english.greeting.text') });
  expect(await printed('agent', 'update', agentId, 'changed.json')).toContain('no version was made');
  await printed('agent', 'update', agentId, 'agent.json');
  const broken = await user.outdial(['agent', 'create', '-'], { input: '{"name": ' });
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('Standard input is not valid JSON') });
});

test.skipIf(!hasTerminals)('`agent try` is a conversation in the terminal, until Ctrl-D', async () => {
  model.replies = ['Until Monday then.'];
  const words = ['agent', 'try', agentId, '-f', 'first_name=Asha'];
  const { code, stdout } = await user.inTerminal(words, ['Monday suits me.\r', '\u0004'], 'You:   ');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /Agent:.* Hello Asha, this is the clinic\.[^]*Monday suits me\.[^]*Agent:.* Until Monday then\./,
  );
});

test('without a terminal, each line of the input is said, and a model that fails ends it', async () => {
  model.replies = ['Fine.'];
  const done = await user.outdial(['agent', 'try', agentId], { input: 'Hello?\n' });
  expect(done).toMatchObject({
    code: 0,
    stdout: 'Agent: Hello , this is the clinic.\nAgent: Fine.\n',
    stderr: expect.stringContaining('Nothing fills first_name'),
  });
  model.replies = [500];
  expect((await user.outdial(['agent', 'try', agentId], { input: 'Hello?\n' })).code).not.toBe(0);
});

test('settings of the account are changed one by one: the others stay, and what cannot be is named', async () => {
  await printed('defaults', 'set', 'timezone=America/New_York', 'callingWindow=09:00-17:00 mon-fri');
  await printed('defaults', 'set', 'country=US');
  await printed('defaults', 'unset', 'timezone');
  expect(JSON.parse(await printed('defaults', 'show', '-o', 'json'))).toMatchObject({
    country: 'US',
    callingWindow: { from: '09:00', until: '17:00', daysOfWeek: [1, 2, 3, 4, 5] },
  });
  await printed('guardrails', 'set', 'allowedCountries=US,GB', 'refuseSatellite=false', 'disclosure=A machine calls.');
  expect(await printed('guardrails', 'show')).toMatch(/Allowed countries +GB, US[^]*Disclosure +A machine calls\./);
  await printed('guardrails', 'unset', 'disclosure', 'allowedCountries');
  expect(await printed('guardrails', 'show')).not.toContain('machine');
  const unknown = await user.outdial(['guardrails', 'set', 'hours=9']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/no field hours.*callingHours/) });
  const hours = await user.outdial(['guardrails', 'set', 'callingHours=nine']);
  expect(hours).toMatchObject({ code: 2, stderr: expect.stringContaining('callingHours: hours, then days') });
});

test('prices are set one by one or from a file, shown and taken back; what is not named stays', async () => {
  const none = await user.outdial(['prices', 'show']);
  expect(none).toMatchObject({ code: 0, stderr: expect.stringContaining('has no prices') });
  const unsaid = await user.outdial(['prices', 'set', 'any=0.02']);
  expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining('--currency') });
  await printed('prices', 'set', '--currency', 'USD', 'any=0.02', 'IN=0.0085/30');
  await printed('prices', 'set', 'GB=0.5/6/12');
  await printed('prices', 'set', 'any=0.03');
  expect(await printed('prices', 'show')).toMatch(
    /USD A MINUTE[^]*any +0\.03 +1 s +1 s[^]*GB +0\.5 +6 s +12 s[^]*IN +0\.0085 +30 s +30 s/,
  );
  await printed('prices', 'unset', 'GB');
  const kept = await printed('prices', 'show', '-o', 'json');
  expect(JSON.parse(kept)).toMatchObject({ currency: 'USD', calls: [{ perMinute: 0.03 }, { country: 'IN' }] });
  const again = await user.outdial(['prices', 'unset', 'GB']);
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('no price for GB') });
  const wrong = await user.outdial(['prices', 'set', 'IN=1/0']);
  expect(wrong).toMatchObject({
    code: expect.any(Number) as unknown,
    stderr: expect.stringContaining('incrementSeconds'),
  });
  expect(wrong.code).not.toBe(0);
  writeFileSync(join(user.folder, 'prices.json'), kept);
  await printed('prices', 'unset', 'any', 'IN');
  await printed('prices', 'set', '--file', 'prices.json');
  expect(await printed('prices', 'show')).toMatch(/any +0\.03[^]*IN/);
});

test('the recording of a call is kept in a file, written to a pipe, or given to a player', async () => {
  const [answers = ''] = numbersWithScript(0, 1, 701);
  const { id } = JSON.parse(await printed('call', 'make', answers, '--from', from, '--wait', '-o', 'json')) as {
    id: string;
  };
  const none = await user.outdial(['call', 'play', id, '--to', 'none.ogg']);
  expect(none.code).toBe(4);
  await inDatabase(service, (database) =>
    database.query(
      `with r as (insert into recordings (call_id, account_id, attempt, started_at)
         select id, account_id, 1, now() from calls where id = $1 returning call_id, account_id)
       insert into recording_chunks (call_id, account_id, sequence, frames, bytes)
       select call_id, account_id, 0, 50, 'OggS of a test' from r`,
      [id.replace('call_', '')],
    ),
  );
  await printed('call', 'play', id, '--to', 'call.ogg');
  expect(readFileSync(join(user.folder, 'call.ogg'), 'utf8')).toBe('OggS of a test');
  expect(await user.outdial(['call', 'play', id, '--to', 'nowhere/a.ogg'])).toMatchObject({
    ...{ code: 1, stderr: 'outdial: nowhere/a.ogg cannot be written: there is no such folder.\n' },
  });
  expect(await printed('call', 'play', id)).toBe('OggS of a test');
  expect(await printed('call', 'play', id, '--player', 'tee played.ogg')).toBe('OggS of a test');
  expect(readFileSync(join(user.folder, 'played.ogg'), 'utf8')).toBe('OggS of a test');
  const missing = await user.outdial(['call', 'play', id, '--player', 'no-such-player -']);
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no-such-player') });
});

test('`trigger` posts a signed example of an event to an address, or to the webhooks that hear of it', async () => {
  const receiver = await webhookReceiver(service);
  const refuser = createServer((_request, response) => response.writeHead(500).end('broken'));
  await new Promise<void>((resolve) => refuser.listen(0, '127.0.0.1', resolve));
  try {
    expect(await printed('trigger', 'batchcall-completed', '--to', receiver.url)).toMatch(/: 204 \(\d+ ms\)$/);
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['batchcall-completed']);
    const nobody = await user.outdial(['trigger', 'call-answered']);
    expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') });
    const body = { url: receiver.url, events: ['call-answered'] };
    expect((await service.request('POST', '/v2/sip/webhooks', body)).status).toBe(201);
    await printed('trigger', 'call-answered');
    expect(receiver.received.at(-1)?.body).toMatchObject({ webhookType: 'call-answered' });
    const unknown = await user.outdial(['trigger', 'call-lost', '--to', receiver.url]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/call-lost.*call-answered/) });
    const { port } = refuser.address() as AddressInfo;
    const refused = await user.outdial(['trigger', 'call-hangup', '--to', `http://127.0.0.1:${port}`]);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('500 broken') });
  } finally {
    receiver.close();
    refuser.close();
  }
});

test('`logs` prints the lines of all parts in one order, those of one part, and what is logged from now on', async () => {
  expect(await printed('logs', '-n', '500')).toMatch(/\d\d:\d\d:\d\d\.\d{3} (?:api|worker) /);
  const api = (await printed('logs', 'api', '-n', '3', '--json')).split('\n').map((line) => JSON.parse(line) as object);
  expect(api).toHaveLength(3);
  expect((await user.outdial(['logs', 'nobody'])).code).toBe(2);
  const following = user.started(['logs', 'carrier', '-n', '0', '--follow']);
  const line = (msg: string): string => `${JSON.stringify({ level: 50, time: Date.now(), msg })}\n`;
  const written = (msg: string): void => appendFileSync(join(service.folder, 'logs', 'carrier.log'), line(msg));
  await until(() => {
    written('a first line');
    return following.printed().includes('a first line');
  });
  written('a later line');
  await until(() => /carrier +a later line/.test(following.printed()));
  await following.end();
});

test('`logs` reads what our processes write: their words in place of JSON, and --level omits what is less', async () => {
  const line = {
    level: 'warn',
    time: new Date().toISOString(),
    role: 'carrier',
    callId: 'call_1',
    msg: 'a warning of ours',
  };
  appendFileSync(join(service.folder, 'logs', 'carrier.log'), `${JSON.stringify(line)}\n`);
  const warnings = await printed('logs', 'carrier', '--level', 'warn', '-n', '1');
  expect(warnings).toMatch(/^\d\d:\d\d:\d\d\.\d{3} carrier +a warning of ours {2}callId=call_1$/);
  expect(await printed('logs', 'api', '-n', '5')).toMatch(/ api +(?:incoming request|request completed) /);
  expect(await printed('logs', 'api', '--level', 'error')).not.toContain('request completed');
});

test('a reader that leaves a pipe is no failure; an answer that cannot be written whole is', async () => {
  const shell = (command: string): Promise<{ code: number; stderr: string }> =>
    new Promise((resolve) => {
      const env = { ...process.env, OUTDIAL_DATA: service.folder, OUTDIAL: `${process.execPath} ${program}` };
      execFile('bash', ['-o', 'pipefail', '-c', command], { cwd: user.folder, env }, (error, _out, stderr) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
      );
    });
  const fine = { code: 0, stderr: '' };
  expect(await shell('$OUTDIAL logs -n 100000 | head -n 1')).toEqual(fine);
  expect(await shell('$OUTDIAL api GET /openapi.json | head -c 1')).toEqual(fine);
  expect(await shell('$OUTDIAL agent list -o json | true')).toEqual(fine);
  // A web page is passed on as a stream.
  expect(await shell('$OUTDIAL api GET /docs | head -c 1')).toEqual(fine);
  expect(await shell('$OUTDIAL agent list >/dev/full')).toEqual({
    code: 1,
    stderr: 'outdial: standard output cannot be written: no space is left where it goes.\n',
  });
});
