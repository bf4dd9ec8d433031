import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installationFindings } from '../../../cli/doctor/installation.js';
import { diskFinding, remedyOfDatabase } from '../../../cli/doctor/disk.js';
import { freeMiBOf, requireDiskSpace } from '../../../embedded/disk-space.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('disk-space');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const holdData = (): void => {
  mkdirSync(join(folder, 'postgres', 'cluster'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'cluster', 'PG_VERSION'), '18\n');
};

test('`outdial up` does not start on a full disk: it names the folder, what is left, what it needs and what to do', () => {
  const left = (mib: number) => () => {
    requireDiskSpace(folder, () => mib);
  };
  expect(left(255)).toThrow(`The disk of ${folder} is full: 255 MiB are left, and the service needs 256 MiB to start`);
  expect(left(255)).toThrow(/on a new folder\. Free some space there, or name another folder with --data\.$/);
  expect(left(256)).not.toThrow();
  holdData();
  expect(left(63)).toThrow(/63 MiB are left, .* 64 MiB to start\. .* move the data folder to a larger disk/);
  expect(left(64)).not.toThrow();
});

test('the disk of a folder that is not made yet is that of the folder that it will be in', () => {
  expect(freeMiBOf(folder)).toBeGreaterThan(0);
  expect(Number.isInteger(freeMiBOf(join(folder, 'not', 'yet')))).toBe(true);
});

test.each([
  [63, 'failed', 'is full: 63 MiB are left'],
  [64, 'warning', 'is almost full: 64 MiB are left'],
  [1024, 'ok', 'has space'],
])('`outdial doctor` looks at the disk of the data folder: with %i MiB left it is %s', (left, state, words) => {
  const finding = diskFinding(folder, () => left);
  expect(finding).toMatchObject({ check: 'data folder', state, message: expect.stringContaining(words) });
  expect(finding.remedy).toEqual(state === 'ok' ? undefined : expect.stringContaining('Free some space'));
});

test('`outdial doctor` looks at it also if nothing runs on the folder', async () => {
  holdData();
  const findings = await installationFindings(folder);
  expect(findings.map(({ check }) => check)).toEqual(['settings', 'data folder']);
});

test('a PostgreSQL that answers that its disk is full is not said to be at a wrong address', () => {
  const full = remedyOfDatabase('could not write init file: No space left on device');
  expect(full).toContain('disk of PostgreSQL is full');
  expect(full).not.toContain('OUTDIAL_DATABASE_URL');
  expect(remedyOfDatabase('nothing listens there')).toContain('OUTDIAL_DATABASE_URL');
});
