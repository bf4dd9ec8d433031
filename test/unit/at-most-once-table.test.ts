import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const [, section = ''] = page.split('## At most once');
/** The rows of the table: what goes wrong, what makes a second INVITE impossible, which test shows it. */
const rows = section
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:-+|What goes wrong) /.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .map(([, what = '', code = '', shown = '']) => ({ what, code, shown }));

const files = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|sql)$/.test(path) && !path.startsWith('replay'))
    .map((path) => join(folder, path));
const textOf = (paths: readonly string[]): string =>
  paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
const sources = textOf(['db', 'dialer', 'api', 'telephony', 'workflows', 'activities'].flatMap(files));
const tests = textOf(files('test'));
const backticked = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('C1: the table of ways to die has its rows', () => {
  expect(rows.length).toBeGreaterThan(12);
});

test.each(rows)('C1: what docs/architecture.md names about “$what” is there, code and test', ({ code, shown }) => {
  const paths = [...code.matchAll(/\(((?:\w+\/)[\w./-]+)\)/g)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const names = backticked(code).filter((name) => /^[a-zA-Z]\w+$/.test(name) && name !== 'synchronous_commit');
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  const titles = backticked(shown).map((title) => title.replace(/\s*…$/, ''));
  expect(titles.filter((title) => !tests.includes(title))).toEqual([]);
  const saysNothing = shown === '–' || shown.startsWith('the conformance suite');
  expect(titles.length > 0 || saysNothing).toBe(true);
});
