import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError, Command } from 'commander';
import { z } from 'zod';

/** In the order in which they run: those that need the whole service first, on one service. */
export const benchmarkNames = [
  'throughput',
  'latency',
  'starts',
  'api',
  'upload',
  'parse',
  'claims',
  'waiting',
  'peers',
  'history',
  'audit',
] as const;
export type BenchmarkName = (typeof benchmarkNames)[number];
/** These install other programs or fill gigabytes, and run only if they are asked for. */
const onlyIfNamed: readonly BenchmarkName[] = ['peers', 'history', 'audit'];

const Options = z.object({
  only: z.array(z.enum(benchmarkNames)).default(benchmarkNames.filter((name) => !onlyIfNamed.includes(name))),
  calls: z.number(),
  batches: z.number(),
  floorCalls: z.number(),
  single: z.number(),
  retries: z.number(),
  starts: z.number(),
  rows: z.number(),
  rounds: z.number(),
  queued: z.number(),
  claims: z.number(),
  jobs: z.number(),
  seconds: z.number(),
  finished: z.number(),
  asked: z.number(),
  heldSeconds: z.number(),
  data: z.string().optional(),
  fillOnly: z.boolean().default(false),
  profile: z.string().optional(),
  against: z.string().optional(),
  pairs: z.number(),
  json: z.string(),
});
export type Options = z.infer<typeof Options> & {
  /** What a run of one build is started with, if two are compared: what was typed, without what is about the comparison. */
  readonly ofOneBuild: readonly string[];
};

/** About the comparison itself, or of each run its own. */
const notOfOneBuild = ['against', 'pairs', 'json'];

const between = (least: number, most: number) => (value: string) => {
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new InvalidArgumentError(`A whole number from ${least} to ${most}.`);
  }
  return number;
};

/** @returns the benchmarks' program of the build in the folder */
function programIn(folder: string): string {
  const program = join(resolve(folder), 'dist/bench/main.js');
  if (existsSync(program)) return program;
  throw new InvalidArgumentError(`${program} is missing: run npm ci and npm run build in ${folder}.`);
}

const atLeast = (least: number) => between(least, Number.MAX_SAFE_INTEGER);

const named = (name: string, before: readonly string[] = []): string[] => [...before, ...name.split(',')];

/** @throws after a message for the person who typed it, if the command line makes no sense */
export function readOptions(): Options {
  const program = new Command('npm run bench --')
    .description('Measures this build on this machine. What each row means: docs/benchmarks.md.')
    .argument('[names...]', 'the same as --only')
    .option('--only <name>', `run only these, comma-separated: ${benchmarkNames.join(', ')}`, named)
    .option('--calls <n>', 'throughput: numbers to call', between(8, 89_000), 5_000)
    .option(
      '--batches <n>',
      'throughput: batches that the numbers are shared out to, each with a gateway',
      atLeast(1),
      2,
    )
    .option('--floor-calls <n>', 'throughput: calls of the bare Temporal floor', atLeast(8), 1_000)
    .option('--single <n>', 'latency: single calls, one after the other', between(1, 1_000), 100)
    .option('--retries <n>', 'latency: numbers that are busy first', between(1, 100), 100)
    .option('--starts <n>', 'starts: batches due in the same second', atLeast(1), 100)
    .option('--seconds <n>', 'api: seconds for each operation', atLeast(1), 5)
    .option('--rows <n>', 'parse, upload and waiting: rows of the file, recipients of the batch', atLeast(1), 370_000)
    .option('--rounds <n>', 'parse: measurements of each kind, taken in turn', atLeast(1), 5)
    .option('--queued <n>', 'claims: attempts in the queue', atLeast(1_000), 200_000)
    .option('--claims <n>', 'claims: attempts to claim', atLeast(1_000), 30_000)
    .option('--jobs <n>', 'peers: jobs that each queue is given', atLeast(1), 20_000)
    .option('--finished <n>', 'history and audit: finished calls in the database', atLeast(100_000), 20_000_000)
    .option('--asked <n>', 'history: how often both databases are asked the same', atLeast(1), 15)
    .option('--held-seconds <n>', 'history: how long a snapshot is held beside dialing', atLeast(10), 600)
    .option(
      '--data <folder>',
      'history and audit: where the databases stay for the next run; omitted: they are deleted',
    )
    .option('--fill-only', 'history and audit: fill the databases of --data, and measure nothing')
    .option(
      '--profile <folder>',
      'throughput: write there which functions, statements and events of workflows the time went to; the figures of such a run are too high',
      (folder) => resolve(folder),
    )
    .option('--against <folder>', 'compare this build with the one in this folder, in turn', programIn)
    .option('--pairs <n>', 'against: runs of each build', atLeast(1), 3)
    .option('--json <file>', 'where the figures are written', 'bench-results.json')
    .parse();
  const sent = program.opts<{ only?: readonly string[] }>();
  const names = [...(sent.only ?? []), ...program.args];
  const options = Options.safeParse({ ...sent, ...(names.length === 0 ? {} : { only: names }) });
  if (!options.success) return program.error(`The benchmarks are ${benchmarkNames.join(', ')}.`);
  return { ...options.data, ofOneBuild: [...program.args, ...typedOptions(program)] };
}

function typedOptions(program: Command): string[] {
  return program.options
    .filter((option) => !notOfOneBuild.includes(option.attributeName()))
    .filter((option) => program.getOptionValueSource(option.attributeName()) === 'cli')
    .flatMap((option) => {
      const value: unknown = program.getOptionValue(option.attributeName());
      return [option.long ?? '', ...(value === true ? [] : [String(value)])];
    });
}
