import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepPrivate } from '../../../cli/up/private-folder.js';
import { mustStayOpen } from '../../../embedded/postgres.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder('private'), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const modeOf = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o777;

/** As an earlier version left it. */
function openFolder(): void {
  for (const name of ['logs', 'temporal', 'bin', 'postgres']) mkdirSync(join(folder, name), { mode: 0o755 });
  for (const name of ['carrier-ledger.jsonl', 'processes.json', 'encryption-keys', 'access.json']) {
    writeFileSync(join(folder, name), '', { mode: 0o644 });
  }
}

test('P3-3: a data folder that an earlier version left open to others is closed', () => {
  openFolder();
  keepPrivate(folder);
  for (const name of ['logs', 'temporal', 'bin']) expect({ name, mode: modeOf(name) }).toEqual({ name, mode: 0o700 });
  for (const name of ['carrier-ledger.jsonl', 'processes.json', 'encryption-keys', 'access.json']) {
    expect({ name, mode: modeOf(name) }).toEqual({ name, mode: 0o600 });
  }
  if (!mustStayOpen()) expect(modeOf()).toBe(0o700);
});

test('P3-3: of a folder that holds other things, too, only what is ours is closed', () => {
  openFolder();
  writeFileSync(join(folder, 'report.ods'), 'of others', { mode: 0o644 });
  keepPrivate(folder);
  expect(modeOf()).toBe(0o755);
  expect(modeOf('report.ods')).toBe(0o644);
  expect(modeOf('logs')).toBe(0o700);
  expect(modeOf('access.json')).toBe(0o600);
});
