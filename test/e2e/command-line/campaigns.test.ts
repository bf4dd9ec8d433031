import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numbersWithScript, setUp, until } from '../running-service.js';
import { sharedService, type SharedService } from '../shared-service.js';
import { type User, userBeside } from './support.js';

let service: SharedService;
let user: User;
const from = '+15550100001';

beforeAll(async () => {
  service = await sharedService('Campaigns');
  user = userBeside(service);
  await setUp(service, from);
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

interface Run {
  readonly outcome: string;
  readonly batchId?: string;
}

test('a campaign is made, given recipients and run: those who waited are called by one batch call', async () => {
  const make = ['campaign', 'create', '--name', 'Mornings', '--cron', '0 9 * * 1-5', '--zone', 'Asia/Kolkata'];
  const id = await printed(...make, '--from', from, '-q');
  expect(id).toMatch(/^camp_/);
  expect(await printed('campaign', 'list', '-q')).toBe(id);

  const [first = '', second = ''] = numbersWithScript(0, 2, 900);
  writeFileSync(join(user.folder, 'people.csv'), `phone_number,name\n${first},Asha\nnobody,Bo\n`);
  expect(await printed('campaign', 'add', id, 'people.csv')).toMatch(/1 added, 0 there already, 1 refused[^]*nobody/);
  expect(await printed('campaign', 'add', id, '--number', second)).toContain('1 added');
  expect(await printed('campaign', 'show', id)).toMatch(/Waiting +2/);

  await printed('campaign', 'run', id);
  const runs = async () => JSON.parse(await printed('campaign', 'runs', id, '-o', 'json')) as Run[];
  await until(async () => (await runs())[0]?.outcome === 'made');
  const batchId = (await runs())[0]?.batchId ?? '';
  const { code } = await user.outdial(['batch', 'watch', batchId]);
  expect(code).toBe(0);
  expect(await printed('batch', 'show', batchId)).toMatch(/Counts +2 answered/);
  expect(await printed('campaign', 'show', id)).toMatch(/Waiting +0/);

  const steps = await printed('batch', 'timeline', batchId, '--step', '60', '-o', 'json');
  const points = JSON.parse(steps) as { dialed: number; answered: number; live: number }[];
  expect(points.reduce((sum, { dialed }) => sum + dialed, 0)).toBe(2);
  expect(points.reduce((sum, { answered }) => sum + answered, 0)).toBe(2);
  expect(points.at(-1)?.live).toBe(0);
  expect((await user.outdial(['batch', 'timeline', batchId, '--step', '61'])).code).toBe(2);
});

test('a campaign is changed in what is said alone, and another number goes into its template', async () => {
  writeFileSync(join(user.folder, 'slow.json'), JSON.stringify({ phoneNumber: from, maxConcurrentCalls: 2 }));
  const make = ['campaign', 'create', '--name', 'Evenings', '--cron', '0 18 * * *', '--zone', 'Asia/Kolkata'];
  const id = await printed(...make, '--template', 'slow.json', '-q');
  const shown = async () => JSON.parse(await printed('campaign', 'show', id, '-o', 'json')) as Record<string, unknown>;
  const before = await shown();

  await printed('campaign', 'set', id, '--cron', '30 18 * * *');
  expect(await shown()).toMatchObject({ name: 'Evenings', cron: '30 18 * * *', template: before.template });
  await printed('campaign', 'set', id, '--from', from, '--name', 'Later');
  expect(await shown()).toMatchObject({ name: 'Later', template: { phoneNumber: from, maxConcurrentCalls: 2 } });

  const nothing = await user.outdial(['campaign', 'set', id]);
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toContain('Say what to change');
  await printed('campaign', 'delete', id, '--yes');
});

test('a campaign is paused and resumed, and deleted only with --yes', async () => {
  writeFileSync(join(user.folder, 'template.json'), JSON.stringify({ phoneNumber: from, maxConcurrentCalls: 2 }));
  const id = await printed(
    'campaign',
    'create',
    '--name',
    'Noon',
    '--cron',
    '0 12 * * *',
    '--template',
    'template.json',
    '-q',
  );
  await printed('campaign', 'pause', id);
  expect(await printed('campaign', 'show', id)).toMatch(/Status +paused/);
  await printed('campaign', 'resume', id);
  expect(await printed('campaign', 'show', id)).toMatch(/Status +active/);
  expect((await user.outdial(['campaign', 'delete', id])).code).toBe(2);
  await printed('campaign', 'delete', id, '--yes');
  expect((await user.outdial(['campaign', 'show', id])).code).toBe(4);
  const wrong = await user.outdial(['campaign', 'create', '--name', 'x', '--cron', '61 * * * *', '--from', from]);
  expect([wrong.code === 0, wrong.stderr.includes('cron')]).toEqual([false, true]);
});
