import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { temporaryFolder } from '../embedded/temporary-folder.js';
import { median, type Result } from './result.js';

/** What is read of the figures of a run. A figure that could not be measured is null. */
const Figures = z.object({
  results: z.array(z.object({ name: z.string(), value: z.number().nullable(), unit: z.string() })),
});
type Figure = z.infer<typeof Figures>['results'][number];

interface Build {
  readonly name: 'this' | 'other';
  readonly program: string;
  readonly runs: Figure[][];
}

/**
 * Runs the same benchmarks with two builds in turn, so that a machine that slows down does so for both; the first of a pair is
 * the second of the next.
 *
 * @param otherProgram `dist/bench/main.js` of the other build
 * @param args names and options of a run, as they are typed
 * @param take called after each pair with how the figures that both have compare so far: this build's median over the other's
 * @throws if a run fails
 */
export async function compareBuilds(
  otherProgram: string,
  pairs: number,
  args: readonly string[],
  take: (results: readonly Result[]) => void,
  say: (line: string) => void,
): Promise<void> {
  const here: Build = { name: 'this', program: fileURLToPath(new URL('./main.js', import.meta.url)), runs: [] };
  const other: Build = { name: 'other', program: otherProgram, runs: [] };
  for (let pair = 1; pair <= pairs; pair++) {
    for (const build of pair % 2 === 1 ? [here, other] : [other, here]) {
      say(`Pair ${pair} of ${pairs}: ${build.name} build.`);
      build.runs.push(await figuresOf(build.program, args));
    }
    take(comparisonOf(here.runs, other.runs));
  }
}

async function figuresOf(program: string, args: readonly string[]): Promise<Figure[]> {
  const json = join(temporaryFolder('bench-against'), 'figures.json');
  await promisify(execFile)(process.execPath, [program, ...args, '--json', json], { maxBuffer: 100_000_000 });
  return Figures.parse(JSON.parse(readFileSync(json, 'utf8'))).results;
}

/** This build's median over the other's, of each figure that both have measured in every run. */
export function comparisonOf(here: readonly (readonly Figure[])[], other: readonly (readonly Figure[])[]): Result[] {
  return (here[0] ?? []).flatMap(({ name, unit }) => {
    const [ofThis, ofOther] = [valuesOf(name, here), valuesOf(name, other)];
    if (ofThis.length < here.length || ofOther.length < other.length) return [];
    const note = `${spreadOf(ofThis)} ÷ ${spreadOf(ofOther)} ${unit}, pairs: ${ofThis.length}`;
    return [{ name, value: median(ofThis) / median(ofOther), unit: '×', note }];
  });
}

const valuesOf = (name: string, runs: readonly (readonly Figure[])[]): number[] =>
  runs.flatMap((run) => run.find((figure) => figure.name === name)?.value ?? []);

/** The median, and between which values it lies. */
function spreadOf(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
    value.toLocaleString('en-US', { maximumSignificantDigits: 3 }),
  );
  return values.length === 1 ? `${middle}` : `${middle} (${least} to ${most})`;
}
