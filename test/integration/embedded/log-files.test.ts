import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rotateLogs } from '../../../embedded/log-files.js';
import { temporaryFolder } from '../../../embedded/temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('logs');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const limits = { mostBytes: 1_000, kept: 2 };
const lines = (name: string): string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');

test('a log that grows for ever takes no more than the files that are kept, and its writer loses no line', () => {
  // As a part's output goes: opened once for appending, and never again.
  const writer = openSync(join(folder, 'api.log'), 'a', 0o600);
  const written: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let line = 0; line < 30; line += 1) {
      const text = `round ${round}, line ${line}: ${'.'.repeat(40)}`;
      writeSync(writer, `${text}\n`);
      written.push(text);
    }
    rotateLogs(folder, limits);
  }
  writeSync(writer, 'the last line\n');
  closeSync(writer);
  expect(readdirSync(folder).sort()).toEqual(['api.log', 'api.log.1', 'api.log.2']);
  expect(lines('api.log')).toEqual(['the last line']);
  expect([...lines('api.log.2'), ...lines('api.log.1')]).toEqual(written.slice(-60));
  expect(statSync(join(folder, 'api.log.1')).mode & 0o077).toBe(0);
});

test('a log within its size, and what is no log, are left alone', () => {
  appendFileSync(join(folder, 'worker.log'), 'a line\n');
  appendFileSync(join(folder, 'notes.txt'), 'x'.repeat(5_000));
  rotateLogs(folder, limits);
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'worker.log']);
  expect(lines('worker.log')).toEqual(['a line']);
});
