import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';
import { writeWhole } from '../../../embedded/whole-file.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('whole-file');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a file is replaced as a whole, and only its owner may read it unless another mode is given', () => {
  const path = join(folder, 'access.json');
  writeWhole(path, 'one');
  writeWhole(path, 'two');
  writeWhole(join(folder, 'open'), 'three', 0o644);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect([path, join(folder, 'open')].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o644]);
  expect(readdirSync(folder).sort()).toEqual(['access.json', 'open']);
});

test('a file that cannot be written leaves nothing half written beside it', () => {
  mkdirSync(join(folder, 'taken', 'by a folder'), { recursive: true });
  expect(() => writeWhole(join(folder, 'taken'), 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['taken']);
});
