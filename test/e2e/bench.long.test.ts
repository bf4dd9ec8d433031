import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { figuresOf, withoutValue } from './benchmarks.js';

const small = ['--calls', '40', '--batches', '1', '--floor-calls', '8', '--rows', '2000', '--rounds', '1'];

test('D3: the benchmarks of throughput and of files run to their end with small numbers, and write figures and where the time went', async () => {
  const folder = temporaryFolder('bench-profile');
  const figures = await figuresOf('throughput', 'upload', 'parse', ...small, '--profile', folder);
  const names = figures.map(({ name }) => name).join('\n');
  for (const each of [/whole system/, /temporal floor/, /upload to parsed/, /parse \+ store/]) {
    expect(names).toMatch(each);
  }
  expect(withoutValue(figures)).toEqual([]);
  const report = (name: string) => readFileSync(join(folder, name), 'utf8');
  for (const thread of [/^## api-/m, /^## worker-/m, /^## dialer-/m, /^## simulator-/m]) {
    expect(report('processor.txt')).toMatch(thread);
  }
  expect(report('statements.txt')).toMatch(/^[ \d].*claim_attempts/m);
  expect(report('histories.txt')).toMatch(/^[ \d].*activity_task_scheduled queueAttempts/m);
});

test('D3: the benchmarks of the API, of starts, of history and of the audit run to their end and write figures', async () => {
  const figures = await figuresOf(
    'starts',
    'history',
    'audit',
    '--starts',
    '4',
    '--finished',
    '100000',
    '--asked',
    '1',
    '--held-seconds',
    '10',
  );
  expect(figures.length).toBeGreaterThan(10);
  expect(withoutValue(figures)).toEqual([]);
});

test('the benchmarks of latency and of claims run to their end and write figures', async () => {
  const few = ['--single', '2', '--retries', '3', '--queued', '3000', '--claims', '1000'];
  const figures = await figuresOf('latency', 'claims', ...few);
  const names = figures.map(({ name }) => name).join('\n');
  for (const each of [/single call/, /retry late/, /one claim/]) expect(names).toMatch(each);
  expect(withoutValue(figures)).toEqual([]);
});

test('the queues that do a job for each call are installed and measured', async () => {
  const figures = await figuresOf('peers', '--jobs', '20');
  const names = figures.map(({ name }) => name).join('\n');
  for (const each of [/graphile-worker/, /pg-boss/]) expect(names).toMatch(each);
  expect(withoutValue(figures)).toEqual([]);
});

test('two builds are compared in turn, each with the options that were typed', async () => {
  const build = join(import.meta.dirname, '../..');
  const figures = await figuresOf('parse', '--rows', '500', '--rounds', '1', '--pairs', '1', '--against', build);
  expect(figures.map(({ name }) => name).join('\n')).toMatch(/parse \+ store/);
  expect(withoutValue(figures)).toEqual([]);
});
