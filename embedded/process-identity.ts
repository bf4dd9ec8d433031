import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * One process for ever. A pid alone is not enough: the system gives it to another process after a while, so code that
 * ends a process by a pid read from a file must know that it is still the one that was written down.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in the system's own format; comparable only for equality. */
  readonly startedAt: string;
}

/** The start of a living process, or null if there is none with this pid (a zombie counts as gone). */
export function startOf(pid: number): string | null {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || start === undefined) return null;
    // Ticks since the boot: together with the boot they are unique.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${start}`;
  } catch {
    return null;
  }
}

function startByPs(pid: number): string | null {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

/** The command line of a living process; empty if there is none. */
export function commandLineOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** This pid as it is now; throws if the process is already gone. */
export function identify(pid: number): ProcessIdentity {
  const startedAt = startOf(pid);
  if (startedAt === null) throw new Error(`Process ${pid} is not running.`);
  return { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.startedAt;
}

/** Resolves true when the process is gone, false when it is still there after `milliseconds`. */
export async function waitUntilGone(identity: ProcessIdentity, milliseconds: number): Promise<boolean> {
  const until = performance.now() + milliseconds;
  while (isRunning(identity)) {
    if (performance.now() >= until) return false;
    await delay(25);
  }
  return true;
}

/** Sends `signal`, then SIGKILL if the process has not ended in time. Never touches a process that merely has the same pid. */
export async function endProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals = 'SIGTERM',
  milliseconds = 10_000,
): Promise<void> {
  for (const each of [signal, 'SIGKILL'] as const) {
    if (!isRunning(identity)) return;
    try {
      process.kill(identity.pid, each);
    } catch {
      return; // it went between the look and the signal
    }
    if (await waitUntilGone(identity, milliseconds)) return;
  }
  throw new Error(`Process ${identity.pid} cannot be ended.`);
}
