import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csv, numbersWithScript, setUp, until, webhookReceiver } from '../running-service.js';
import { sharedService, type SharedService } from '../shared-service.js';
import { type User, userBeside } from './support.js';

let service: SharedService;
let user: User;
let agentId: string;
const from = '+15550100005';

beforeAll(async () => {
  service = await sharedService('Resources');
  user = userBeside(service);
  ({ agentId } = await setUp(service, from));
});

afterAll(() => {
  rmSync(user.folder, { recursive: true, force: true });
});

/** Standard output of a command that has to end with 0. */
async function printed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await user.outdial(words);
  expect({ words, code, stderr: code === 0 ? '' : stderr }).toEqual({ words, code: 0, stderr: '' });
  return stdout.trim();
}

/** Their last digit is what the simulated carrier does: 0 is answered, 2 is busy. */
const [answers = '', busy = ''] = [...numbersWithScript(0, 1, 800), ...numbersWithScript(2, 1, 801)];

test('a call is made, waited for, listed, and its transcript printed', async () => {
  const call = await printed('call', 'make', answers, '--from', from, '-f', 'name=Asha', '--wait', '-o', 'json');
  const { id, metadata } = JSON.parse(call) as { id: string; metadata: unknown };
  expect(metadata).toEqual({ name: 'Asha' });
  expect(await printed('call', 'list', '-q', '--search', answers)).toBe(id);
  expect(await printed('call', 'list', '-q', '--search', answers, '--duration', '0-', '--unrecorded')).toBe(id);
  expect(await printed('call', 'list', '-q', '--search', answers, '--recorded')).toBe('');
  expect((await user.outdial(['call', 'list', '--recorded', '--unrecorded'])).code).toBe(2);
  expect((await user.outdial(['call', 'list', '--duration', 'long'])).stderr).toContain('range of seconds');
  expect(await printed('call', 'show', id)).toMatch(/Status +ended/);
  const said = await printed('call', 'transcript', id);
  expect(said).not.toBe('');
  const [word = ''] = /\p{L}{3,}/u.exec(said.split('\n')[0]?.split(':')[1] ?? '') ?? [];
  await expect.poll(() => printed('call', 'list', '-q', '--transcript', word)).toContain(id);
  const { code, stderr } = await user.outdial(['call', 'end', id]);
  expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('over') });
});

test('waiting for a call that reaches nobody ends with 1 and says how it ended', async () => {
  const { code, stderr } = await user.outdial(['call', 'make', busy, '--from', from, '--wait']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/call_\S+: (?:rejected|missed|failed|not-answered)/),
  });
});

test('numbers go on the do-not-call list, by themselves or from a file, and off it again', async () => {
  writeFileSync(join(user.folder, 'stop.csv'), 'phone_number\n+14155550101\nnobody\n');
  expect(await printed('dnc', 'add', '+14155550100', '--reason', 'asked')).toContain('1 added');
  expect(await printed('dnc', 'add', '--file', 'stop.csv')).toMatch(
    /1 added, 0 on the list already, 1 could not be read[^]*nobody/,
  );
  expect((await printed('dnc', 'list', '-q')).split('\n').sort()).toEqual(['+14155550100', '+14155550101']);
  expect(await printed('dnc', 'remove', '+14155550100', '-q')).toBe('+14155550100');
  expect(await printed('dnc', 'list', '-q')).toBe('+14155550101');
  expect((await user.outdial(['dnc', 'remove', '+14155550100'])).code).toBe(4);
  expect((await user.outdial(['dnc', 'add', '+14155550100', '--file', 'stop.csv'])).code).toBe(2);
});

test('gateways, numbers, rules and agents are listed, and the ids lead on', async () => {
  const gateways = JSON.parse(await printed('gateway', 'list', '-o', 'json')) as { id: string; direction: string }[];
  expect(gateways.map(({ direction }) => direction)).toEqual(['outbound', 'inbound']);
  expect(await printed('number', 'list', '-q')).toBe(from);
  expect(await printed('rule', 'list', '-q', '--type', 'outbound')).toMatch(/^rule_/);
  expect(await printed('agent', 'list', '-q')).toBe(agentId);
  expect(await printed('agent', 'show', agentId)).toMatch(/Languages +english/);
  expect(await printed('agent', 'deploy', agentId)).toContain('is live');
  const { code } = await user.outdial(['agent', 'deploy', agentId, '--region', 'nowhere']);
  expect(code).toBe(2);
});

test('a number is limited, its limits are listed, and one is taken away', async () => {
  expect(await printed('number', 'set', from, '--max-per-day', '200', '--min-seconds', '5')).toBe(
    `${from}: 200 calls a day, 5 seconds between calls.`,
  );
  expect((await printed('number', 'list', '-o', 'csv')).split('\n')[1]).toMatch(/,\d+,200,5,/);
  const changed = JSON.parse(await printed('number', 'set', from, '--max-per-day', 'none', '-o', 'json')) as object;
  expect(changed).toMatchObject({ phoneNumber: { e164: from, maxCallsPerDay: null, minSecondsBetweenCalls: 5 } });
  await printed('number', 'set', from, '--min-seconds', 'none');
  expect((await user.outdial(['number', 'set', from])).code).toBe(2);
  expect((await user.outdial(['number', 'set', from, '--max-per-day', '0'])).code).toBe(2);
  expect((await user.outdial(['number', 'set', '+19999999999', '--max-per-day', '9'])).code).toBe(4);
});

test('a gateway is asked whether it answers; one that is not there ends with 4', async () => {
  const [gateway = ''] = (await printed('gateway', 'list', '-q')).split('\n');
  expect(await printed('gateway', 'check', gateway)).toContain(`${gateway}: `);
  const none = await user.outdial(['gateway', 'check', 'gwo_00000000-0000-7000-8000-000000000000']);
  expect(none.code).toBe(4);
});

test('a list goes over its pages up to the limit, and CSV is safe in a spreadsheet', async () => {
  await printed(
    'dnc',
    'add',
    ...Array.from({ length: 120 }, (_, i) => `+1415555${String(2000 + i)}`),
    '--reason',
    '=1+1',
  );
  const list = ['dnc', 'list', '--search', '+14155552', '-o', 'csv', '--limit'];
  const lines = (await printed(...list, '110')).split('\n');
  expect(lines).toHaveLength(111);
  expect(lines[1]).toMatch(/^\+14155552\d{3},'=1\+1,/);
});

test('webhook deliveries of a batch call are listed, and one is sent again', async () => {
  const receiver = await webhookReceiver(service);
  try {
    writeFileSync(join(user.folder, 'told.csv'), csv(numbersWithScript(0, 1, 950)));
    const words = ['batch', 'create', 'told.csv', '--start', '--watch', '-q', '--webhook', receiver.url];
    const [batchId = ''] = (await printed(...words)).split('\n');
    const came = () => receiver.received.filter(({ body }) => JSON.stringify(body).includes('batchcall-completed'));
    await until(() => came().length === 1);
    const [first] = came();
    expect((await printed('deliveries', 'list', batchId, '-q')).split('\n')).toContain(first!.id);
    await printed('deliveries', 'resend', batchId, first!.id);
    await until(() => came().length === 2);
  } finally {
    receiver.close();
  }
});

test('rows that are not called and numbers that were corrected are listed, and one who waits is changed', async () => {
  const [waits = ''] = numbersWithScript(0, 1, 960);
  const rows = `phone_number,name\n${waits},Asha\nnobody,Ben\n(415) 555-0142,Cem\n`;
  writeFileSync(join(user.folder, 'mixed.csv'), rows);
  const tomorrow = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)} 12:00 UTC`;
  const words = ['batch', 'create', 'mixed.csv', '--default-country', 'US', '--schedule', tomorrow, '-q'];
  const batchId = await printed(...words);
  await until(async () => (await printed('record', 'list', batchId, '-q')) !== '');
  expect(await printed('batch', 'rejected', batchId)).toMatch(/Row +Value +Reason[^]*nobody/i);
  expect(await printed('batch', 'rejected', batchId, '-q')).toBe('3');
  expect(await printed('batch', 'corrected', batchId, '-o', 'csv')).toContain('+14155550142');

  const [record = ''] = (await printed('record', 'list', batchId, '-q')).split('\n');
  const changed = await printed('record', 'set', batchId, record, '--priority', '2', '-f', 'name=Dora', '-o', 'json');
  expect(JSON.parse(changed)).toMatchObject({ priority: 2, metadata: { name: 'Dora' } });
  const day = tomorrow.slice(0, 10);
  const later = await printed(
    'record',
    'set',
    batchId,
    record,
    '--not-before',
    `${day} 20:00 America/New_York`,
    '-o',
    'json',
  );
  const { notBefore, priority } = JSON.parse(later) as { notBefore: string; priority: number };
  expect({ notBefore, priority }).toEqual({ notBefore: expect.stringMatching(/T0[01]:00:00\.000Z$/), priority: 2 });
  const anyTime = await printed('record', 'set', batchId, record, '--not-before', 'none', '-o', 'json');
  expect(JSON.parse(anyTime)).not.toHaveProperty('notBefore');
  expect((await user.outdial(['record', 'set', batchId, record, '--not-before', 'soon'])).code).toBe(2);
  expect((await user.outdial(['record', 'set', batchId, record])).stderr).toContain('Say what to change');
  expect((await user.outdial(['record', 'set', batchId, record, '--priority', '99'])).code).toBe(2);
  await printed('batch', 'cancel', batchId);
  const gone = await user.outdial(['batch', 'resume', batchId]);
  expect({ code: gone.code, stdout: gone.stdout }).toEqual({ code: 5, stdout: '' });
  expect((await user.outdial(['record', 'set', batchId, record, '--priority', '1'])).code).toBe(5);
});

test('nobody can whisper to the agent of a call that is over or does not exist', async () => {
  const [number = ''] = numbersWithScript(0, 1, 961);
  const call = await printed('call', 'make', number, '--from', from, '--wait', '-o', 'json');
  const { id } = JSON.parse(call) as { id: string };
  const over = await user.outdial(['call', 'whisper', id, 'Offer Monday.']);
  expect({ code: over.code, stdout: over.stdout }).toEqual({ code: 5, stdout: '' });
  const none = await user.outdial([
    'call',
    'whisper',
    id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    'Hello.',
  ]);
  expect(none.code).toBe(4);
});
