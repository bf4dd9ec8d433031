import { expect, test } from 'vitest';
import { figuresOf, withoutValue } from './benchmarks.js';

const small = ['--calls', '40', '--batches', '1', '--floor-calls', '8', '--rows', '2000', '--rounds', '1'];

// The others need a service or a database of their own each: bench.long.test.ts.
test('D3: the benchmarks of throughput and of files run to their end with small numbers, and write figures', async () => {
  const figures = await figuresOf('throughput', 'upload', 'parse', ...small);
  const names = figures.map(({ name }) => name).join('\n');
  for (const each of [/whole system/, /temporal floor/, /upload to parsed/, /parse \+ store/]) {
    expect(names).toMatch(each);
  }
  expect(withoutValue(figures)).toEqual([]);
});
