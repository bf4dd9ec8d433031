import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, type ProcessIdentity } from '../../embedded/process-identity.js';
import { descendantsOf, parentsInGroup } from './process-table.js';

export interface Watched {
  readonly soak: ProcessIdentity;
  /** Without any one of them the soak ends. */
  readonly parents: readonly ProcessIdentity[];
}

const lookEveryMs = 500;
/** Time that the soak has to close in good order after one of its parents is gone. */
const graceMs = 4_000;

/** Starts the guardian of this process: see guardian.ts. */
export function guardThisProcess(): void {
  const watched: Watched = { soak: identify(process.pid), parents: parentsInGroup(process.pid).map(identify) };
  const guardian = join(import.meta.dirname, 'guardian.js');
  spawn(process.execPath, [guardian, JSON.stringify(watched)], { detached: true, stdio: 'ignore' }).unref();
}

/** Resolves when the soak is over and nothing is left that it has started. */
export async function guard({ soak, parents }: Watched): Promise<void> {
  const known = new Map<number, ProcessIdentity>();
  const left = (): ProcessIdentity[] => [...known.values()].filter(isRunning);

  /** Remembers what the soak has started: once it is gone, nothing tells whose they are. */
  function look(): void {
    for (const pid of descendantsOf([soak.pid, ...left().map((each) => each.pid)])) {
      if (pid === process.pid) continue;
      try {
        known.set(pid, identify(pid));
      } catch {
        known.delete(pid); // it has ended meanwhile
      }
    }
  }

  async function lookWhile(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      look();
      await delay(lookEveryMs);
    }
  }

  await lookWhile(() => isRunning(soak) && parents.every(isRunning));
  if (isRunning(soak)) {
    send(soak, 'SIGTERM');
    const untilMs = performance.now() + graceMs;
    await lookWhile(() => isRunning(soak) && performance.now() < untilMs);
  }
  while (isRunning(soak) || left().length > 0) {
    for (const each of [soak, ...left()]) if (isRunning(each)) send(each, 'SIGKILL');
    await delay(50);
    look();
  }
}

function send({ pid }: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended meanwhile
  }
}
