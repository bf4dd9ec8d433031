import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, withoutValue } from './benchmarks.js';

test('the benchmarks of the API, of starts, of history and of the audit run to their end and write figures', async () => {
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

test('two builds are compared in turn, each with the options that were typed', async () => {
  const build = join(import.meta.dirname, '../..');
  const figures = await figuresOf('parse', '--rows', '500', '--rounds', '1', '--pairs', '1', '--against', build);
  expect(figures.map(({ name }) => name).join('\n')).toMatch(/parse \+ store/);
  expect(withoutValue(figures)).toEqual([]);
});
