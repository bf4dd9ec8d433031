import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = 'dist/console';

interface Piece {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}
const pieces = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Piece>;

/** The files that a browser loads for a piece and all that it imports at once. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const piece = pieces[name];
  if (piece === undefined || seen.has(piece.file)) return seen;
  for (const file of [piece.file, ...(piece.css ?? [])]) seen.add(file);
  for (const other of piece.imports ?? []) filesOf(other, seen);
  return seen;
}

/** What goes over the wire. */
const kilobytesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0) / 1_000;

const shell = filesOf('console.html');
const routes = pieces['console.html']?.dynamicImports ?? [];
/** The LiveKit client and what uses it, loaded once somebody listens to a call. */
const sound = 'call/live-room.ts';
/** Parts of pages that are loaded once they are opened or seen, each with a page that has it. */
const parts = new Map(
  routes.flatMap((route) => (pieces[route]?.dynamicImports ?? []).map((part) => [part, route] as const)),
);
parts.delete(sound);

test('the first load, with the overview, is below 250 kB gzip', () => {
  const first = new Set([...shell, ...filesOf('overview/page.tsx')]);
  expect(kilobytesOf(first)).toBeGreaterThan(50);
  expect(kilobytesOf(first)).toBeLessThan(250);
});

test.each(routes)('%s is loaded only if it is opened, and adds less than 40 kB gzip', (route) => {
  const own = [...filesOf(route)].filter((file) => !shell.has(file));
  expect(own.length).toBeGreaterThan(0);
  expect(kilobytesOf(own)).toBeLessThan(40);
});

test.each([...parts])('%s is loaded only if %s wants it, and adds less than 25 kB gzip to it', (part, route) => {
  const before = new Set([...shell, ...filesOf(route)]);
  const own = [...filesOf(part)].filter((file) => !before.has(file));
  expect(own.length).toBeGreaterThan(0);
  expect(kilobytesOf(own)).toBeLessThan(25);
});

test('the LiveKit client is loaded only if somebody listens to a call, and adds less than 200 kB gzip', () => {
  const own = [...filesOf(sound)].filter((file) => !shell.has(file));
  expect(kilobytesOf(own)).toBeGreaterThan(50);
  expect(kilobytesOf(own)).toBeLessThan(200);
});
