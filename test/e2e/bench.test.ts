import { expect, test } from 'vitest';
import { figuresOf, withoutValue } from './benchmarks.js';

const small = [
  ...['--calls', '40', '--batches', '1', '--floor-calls', '8', '--rows', '2000', '--rounds', '1'],
  ...['--queued', '3000', '--claims', '1000', '--single', '2', '--retries', '3'],
];

// The others take a minute and more: bench.long.test.ts.
test('the benchmarks run to their end with small numbers, and every one of them writes figures', async () => {
  const figures = await figuresOf('throughput', 'latency', 'upload', 'parse', 'claims', ...small);
  const names = figures.map(({ name }) => name).join('\n');
  for (const each of [
    /whole system/,
    /single call/,
    /retry late/,
    /temporal floor/,
    /upload to parsed/,
    /parse \+ store/,
    /one claim/,
  ]) {
    expect(names).toMatch(each);
  }
  expect(withoutValue(figures)).toEqual([]);
});
