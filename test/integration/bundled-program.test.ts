import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const { dependencies } = z
  .object({ dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

const files = ['dist/cli/main.js', ...readdirSync(join(root, 'dist/program')).map((name) => `dist/program/${name}`)];
const specifiers = (code: string): string[] =>
  [...code.matchAll(/^(?:import|export) (?:[^'"]+ from )?["']([^"']+)["'];$/gm)].map(([, name = '']) => name);
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

test('what the bundled program imports by name is installed in production', () => {
  const imported = new Set(files.flatMap((file) => specifiers(readFileSync(join(root, file), 'utf8'))));
  const named = [...imported].filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
  expect(named).toContain('pg');
  const packages = named.map(packageOf).filter((name) => !builtinModules.includes(name));
  expect(packages.filter((name) => dependencies[name] === undefined)).toEqual([]);
});

test('the bundled program brings the packages that have the most files', () => {
  const imported = files.flatMap((file) => specifiers(readFileSync(join(root, file), 'utf8'))).map(packageOf);
  for (const name of ['kysely', 'jose', 'undici', 'zod', 'libphonenumber-js', 'fastify'])
    expect(imported).not.toContain(name);
});

/** What a file loads before it does anything, packages and files, over all that it imports. */
function loadedFirst(file: string, seen = new Set<string>()): Set<string> {
  for (const name of specifiers(readFileSync(join(root, file), 'utf8'))) {
    const loaded = name.startsWith('.') ? join(dirname(file), name) : packageOf(name);
    if (seen.has(loaded)) continue;
    seen.add(loaded);
    if (name.startsWith('.')) loadedFirst(loaded, seen);
  }
  return seen;
}

test('a command that asks a service loads neither the code of the database nor that of Temporal', () => {
  const loaded = [...loadedFirst('dist/cli/main.js')];
  expect(loaded.some((name) => name.startsWith('dist/program/'))).toBe(true);
  const bytes = loaded
    .filter((name) => name.startsWith('dist/program/'))
    .reduce((sum, name) => sum + readFileSync(join(root, name)).length, 0);
  expect(loaded.filter((name) => /^(?:pg|@temporalio|protobufjs|pino)/.test(name))).toEqual([]);
  // Kysely and others are bundled: they have no name, but weight.
  expect(bytes).toBeLessThan(600_000);
});

test('processes that read files, of which each file has one, load what is bundled', () => {
  for (const reader of ['contacts-reader', 'document-reader']) {
    const loaded = [...loadedFirst(`dist/program/${reader}.js`)];
    expect(loaded).not.toContain('zod');
    expect(loaded.filter((name) => name.startsWith('dist/') && !name.startsWith('dist/program/'))).toEqual([]);
  }
  const started = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/"\.\/(\w+-reader)\.js", (.+)\)/g),
  ]);
  expect(started.map(([, reader, place]) => `${reader} ${place}`).toSorted()).toEqual([
    'contacts-reader new URL("../program/", import.meta.url).href',
    'document-reader new URL("../program/", import.meta.url).href',
  ]);
});
