import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test.each([
  ['.', 'the service'],
  ['agent', 'the voice agent'],
])('D8: no locked package in %s, %s, asks for a newer Node than the one that runs this', async (folder) => {
  const check = ['ci', '--dry-run', '--engine-strict', '--ignore-scripts', '--offline'];
  await expect(run('npm', check, { cwd: folder })).resolves.toMatchObject({
    stderr: expect.not.stringContaining('engine'),
  });
});
