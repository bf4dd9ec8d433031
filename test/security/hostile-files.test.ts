import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { hostileFiles } from './files/hostile.js';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const script = fileURLToPath(new URL('files/read-one.ts', import.meta.url));

interface Reading {
  readonly outcome: string;
  readonly blockedMs: number;
  readonly peakRssMiB: number;
}

/** Has a process of its own read the file, as the worker does. */
async function read(bytes: Buffer, extension: string): Promise<Reading> {
  const path = join(folder, `file.${extension}`);
  writeFileSync(path, bytes);
  const { stdout } = await run(process.execPath, [...process.execArgv, script, path, extension]);
  return JSON.parse(stdout) as Reading;
}

/** The promise is a second; an idle machine needs a tenth of it. */
const mostBlockedMs = 1_000;
const mostRssMiB = 300;

test.each(hostileFiles)(
  'P0-1: reading a hostile file keeps the process below 300 MiB and free for others, and has words for its owner: $extension, $name',
  async ({ extension, make }) => {
    const bytes = make();
    expect(bytes.length).toBeLessThanOrEqual(5_242_880);
    const { outcome, blockedMs, peakRssMiB } = await read(bytes, extension);
    expect({ outcome, peakRssMiB, withinMemory: peakRssMiB < mostRssMiB }).toMatchObject({ withinMemory: true });
    expect({ outcome, blockedMs, responsive: blockedMs < mostBlockedMs }).toMatchObject({ responsive: true });
    expect(outcome.length).toBeLessThan(1_000);
  },
  150_000,
);
