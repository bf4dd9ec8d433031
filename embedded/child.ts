import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { endProcess, startOf } from './process-identity.js';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Runs it as another user. `throughClosedFolders` lets that user pass folders closed to it, such as /root. */
  readonly user?: { readonly uid: number; readonly gid: number; readonly throughClosedFolders: boolean };
  /** Path of the file for its output. Not a pipe: a file outlives this process and never blocks the child. */
  readonly logFile: string;
  /** The signal that asks this program to stop in good order. */
  readonly stopSignal?: 'SIGTERM' | 'SIGINT';
}

export interface Child {
  readonly pid: number;
  /** See ProcessIdentity. */
  readonly startedAt: string;
  /** Resolves when the process is over, however that came. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  isOver(): boolean;
  /** Asks it to stop, insists after `milliseconds`, resolves when it is gone. */
  stop(milliseconds?: number): Promise<void>;
}

const living = new Map<number, NodeJS.Signals>();
let hooked = false;

/** However this process exits, its children are told to stop. (After kill -9, the death signal ends them.) */
function stopWithThisProcess(pid: number, signal: NodeJS.Signals): void {
  living.set(pid, signal);
  if (hooked) return;
  hooked = true;
  process.once('exit', () => {
    for (const [each, how] of living) {
      try {
        process.kill(each, how);
      } catch {
        continue; // already gone
      }
    }
  });
}

/**
 * The capability lets the program enter folders that are closed to its user. The secure bit keeps the capability when
 * the program asks access(2), which otherwise answers for the user without it: initdb looks for its programs that way.
 */
const passThroughClosedFolders = [
  '--securebits=+no_setuid_fixup',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

let setprivWorks: boolean | undefined;

/** util-linux's setpriv ties a child's life to ours in the kernel, so that it ends also when we are killed with -9. */
function hasSetpriv(): boolean {
  setprivWorks ??= process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0;
  return setprivWorks;
}

const asUser = ({ uid, gid }: { readonly uid: number; readonly gid: number }): string[] => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
];

/** Whether a child that runs as this user can be let into folders that are closed to the user. */
export function canPassClosedFolders(user: { readonly uid: number; readonly gid: number }): boolean {
  if (!hasSetpriv()) return false;
  return spawnSync('setpriv', [...asUser(user), ...passThroughClosedFolders, '--', 'true']).status === 0;
}

/** The command line that is run: through setpriv if there is one. The pid stays the same, because setpriv execs. */
function tied(options: ChildOptions, signal: string): { command: string; args: string[]; uid?: number; gid?: number } {
  const { user } = options;
  if (!hasSetpriv()) {
    const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
    return { command: options.command, args: [...options.args], ...as };
  }
  const as =
    user === undefined ? [] : [...asUser(user), ...(user.throughClosedFolders ? passThroughClosedFolders : [])];
  return {
    command: 'setpriv',
    args: [`--pdeathsig=${signal.replace('SIG', '')}`, ...as, '--', options.command, ...options.args],
  };
}

/**
 * Starts a program that lives no longer than this process.
 * @throws if it cannot be started at all
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const signal = options.stopSignal ?? 'SIGTERM';
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a', 0o600);
  const stdio: StdioOptions = ['ignore', log, log];
  const { command, args, ...as } = tied(options, signal);
  // Its own process group: Ctrl-C reaches us alone, and we stop the parts in their order.
  const child = spawn(command, args, {
    stdio,
    detached: true,
    env: options.env ?? process.env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...as,
  });
  closeSync(log);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, by) => resolve({ code, signal: by }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`${options.command} cannot be started: ${error.message}`)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.command} cannot be started.`);
  const startedAt = startOf(pid) ?? 'gone';
  stopWithThisProcess(pid, signal);
  void exited.then(() => living.delete(pid));
  return {
    pid,
    startedAt,
    exited,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    stop: async (milliseconds = 15_000) => {
      await endProcess({ pid, startedAt }, signal, milliseconds);
      await exited;
    },
  };
}
