import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../embedded/temporary-folder.js';
import { figuresOf, withoutValue } from './benchmarks.js';

const small = ['--calls', '40', '--batches', '1', '--floor-calls', '8', '--rows', '2000', '--rounds', '1'];

// The others need a service or a database of their own each: bench.long.test.ts.
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
  expect(report('statements.txt')).toMatch(/^ .*claim_attempts/m);
  expect(report('histories.txt')).toMatch(/^ .*activity_task_scheduled queueAttempts/m);
});
