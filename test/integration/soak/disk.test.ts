import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { mountDisk } from '../../soak/disk.js';

const parent = mkdtempSync(join(tmpdir(), `outdial-soak-${process.pid}-`));
const folder = join(parent, 'disk');
const disk = mountDisk(folder);
const why = 'skipped' in disk ? ` (skipped: ${disk.skipped})` : '';
afterAll(() => {
  if (!('skipped' in disk)) disk.remove();
  rmSync(parent, { recursive: true, force: true });
});

test.skipIf(why !== '')(`a disk is full to the last byte, while others write to it, and free again${why}`, async () => {
  if ('skipped' in disk) return;
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const write = `const f = require('node:fs').openSync(${JSON.stringify(log)}, 'a'), block = Buffer.alloc(16384);
    setInterval(() => { try { require('node:fs').writeSync(f, block) } catch {} }, 1);`;
  const writer = spawn(process.execPath, ['-e', write]);
  onTestFinished(async () => {
    const over = once(writer, 'exit');
    writer.kill('SIGKILL');
    await over;
  });
  await expect.poll(() => readFileSync(log).length).toBeGreaterThan(0);
  for (let round = 0; round < 20; round++) {
    const probe = join(folder, `probe-${round}`);
    disk.fill();
    expect(() => writeFileSync(probe, 'x')).toThrow('ENOSPC');
    disk.free();
    writeFileSync(probe, 'x');
  }
});
