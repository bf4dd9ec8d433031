import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { mostDocumentBytes } from '../../domain/knowledge-document.js';
import { hostileDocuments } from './files/hostile-documents.js';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const script = fileURLToPath(new URL('files/read-document.ts', import.meta.url));

interface Reading {
  readonly outcome: string;
  readonly blockedMs: number;
  readonly peakRssMiB: number;
}

test.each(hostileDocuments)(
  'P1-3: reading a hostile document keeps the worker below 300 MiB and free for others: $kind, $name',
  async ({ kind, make }) => {
    const bytes = make();
    expect(bytes.length).toBeLessThanOrEqual(mostDocumentBytes);
    const path = join(folder, 'document');
    writeFileSync(path, bytes);
    const { stdout } = await run(process.execPath, [...process.execArgv, script, path, kind]);
    const { outcome, blockedMs, peakRssMiB } = JSON.parse(stdout) as Reading;
    expect({ outcome, peakRssMiB, withinMemory: peakRssMiB < 300 }).toMatchObject({ withinMemory: true });
    expect({ outcome, blockedMs, responsive: blockedMs < 1_000 }).toMatchObject({ responsive: true });
    expect(outcome.length).toBeLessThan(1_000);
  },
  200_000,
);
