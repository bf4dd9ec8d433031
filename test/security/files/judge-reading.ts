import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const run = promisify(execFile);

interface Reading {
  readonly outcome: string;
  readonly blockedMs: number;
  readonly peakRssMiB: number;
}

/** The promise is a second; an idle machine needs a tenth of it. */
const mostBlockedMs = 1_000;
const mostRssMiB = 300;

/**
 * Has a process of its own read the bytes, as the worker does: it must stay small, answer others meanwhile, and end with
 * a short explanation.
 *
 * @param program reads the file of its first argument and prints a `Reading`
 * @param kind its second argument
 */
export async function judgeReading(program: URL, bytes: Buffer, kind: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  try {
    const path = join(folder, `file.${kind}`);
    writeFileSync(path, bytes);
    const { stdout } = await run(process.execPath, [...process.execArgv, fileURLToPath(program), path, kind]);
    const { outcome, blockedMs, peakRssMiB } = JSON.parse(stdout) as Reading;
    expect({ outcome, peakRssMiB, withinMemory: peakRssMiB < mostRssMiB }).toMatchObject({ withinMemory: true });
    expect({ outcome, blockedMs, responsive: blockedMs < mostBlockedMs }).toMatchObject({ responsive: true });
    expect(outcome.length).toBeLessThan(1_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
