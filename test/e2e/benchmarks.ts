import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../embedded/temporary-folder.js';

const program = join(import.meta.dirname, '../../dist/bench/main.js');

interface Figure {
  readonly name: string;
  readonly value: number | null;
}

/** Runs benchmarks as `npm run bench` does. @returns the figures that they have written */
export async function figuresOf(...options: readonly string[]): Promise<readonly Figure[]> {
  const json = join(temporaryFolder('bench-test'), 'figures.json');
  await promisify(execFile)(process.execPath, [program, ...options, '--json', json], { maxBuffer: 10_000_000 });
  return (JSON.parse(readFileSync(json, 'utf8')) as { results: Figure[] }).results;
}

/** Names of figures that are no positive number. NaN and infinity are null in JSON. */
export const withoutValue = (figures: readonly Figure[]): string[] =>
  figures.filter(({ value }) => value === null || value < 0).map(({ name }) => name);
