import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

let root: string;
let writer: ChildProcess | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folders-of-a-test-'));
  vi.stubEnv('TMPDIR', root);
});
afterEach(() => {
  writer?.kill('SIGKILL');
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

/** A folder whose maker is gone: it has the name of a process that has ended. */
async function leftover(): Promise<string> {
  const maker = spawn(process.execPath, ['-e', '']);
  await once(maker, 'exit');
  return mkdtempSync(join(root, `outdial-tmp-${maker.pid}-left-`));
}

test('what a process that is gone has left is deleted, and what a living one has made is kept', async () => {
  const left = await leftover();
  const mine = temporaryFolder('mine');
  expect(temporaryFolder('other')).not.toBe(mine);
  expect([existsSync(left), existsSync(mine)]).toEqual([false, true]);
});

test('a folder that cannot be deleted, because a child of its maker still writes there, does not stop the next process', async () => {
  const left = await leftover();
  const code = `
    const { mkdirSync, writeFileSync } = require('node:fs');
    for (let file = 0; ; file++) {
      mkdirSync(${JSON.stringify(left)}, { recursive: true });
      try { writeFileSync(${JSON.stringify(left)} + '/' + file, ''); } catch {}
      if (file === 100) process.stdout.write('writing');
    }`;
  writer = spawn(process.execPath, ['-e', code]);
  await once(writer.stdout!, 'data');
  for (let times = 0; times < 200; times += 1) expect(existsSync(temporaryFolder('mine'))).toBe(true);
});
