import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, withoutValue } from './benchmarks.js';

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
