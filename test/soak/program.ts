import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from '../../embedded/child.js';
import type { Journal } from './journal.js';
import { childrenOf } from './process-table.js';

export type ProgramKind = 'api' | 'worker' | 'dialer' | 'carrier' | 'postgres' | 'temporal';

/** One of the processes of the soak: runs until the soak is over, whatever is done to it. */
export interface Program {
  readonly name: string;
  readonly kind: ProgramKind;
  readonly state: 'running' | 'frozen' | 'down';
  /** kill -9; started again after `downMs`. */
  kill(downMs: number): void;
  /** kill -9 of one process of its family alone, if it has any. @returns whether there was one */
  killOneOfFamily(place: number): boolean;
  /** Stops it as it stands and wakes it after `milliseconds`. */
  freeze(milliseconds: number): Promise<void>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  readonly kind: ProgramKind;
  /** Starts it; rejects if it does not come up. `spawned` is told of the process before it serves. */
  readonly start: (spawned: (child: Child) => void) => Promise<unknown>;
  readonly journal: Journal;
}

const restartAfterUnaskedExitMs = 500;

export async function runProgram({ name, kind, start, journal }: ProgramOptions): Promise<Program> {
  let child: Child | undefined;
  let state: Program['state'] = 'down';
  const life = { stopping: false, starting: false };
  const isStopping = () => life.stopping;
  let downMs = restartAfterUnaskedExitMs;
  let restarting = Promise.resolve();

  const isThere = () => child !== undefined;

  /** One start at a time: a process that ends while it is being started is `start`'s to try again, or to give up. */
  async function launch(): Promise<void> {
    life.starting = true;
    try {
      await start((spawned) => {
        child = spawned;
        state = 'running';
        if (isStopping()) void spawned.stop();
        void spawned.exited.then(({ code, signal }) => {
          if (child !== spawned) return;
          child = undefined;
          state = 'down';
          journal.add(
            'process',
            `${name} ${signal === null ? `ended with code ${code ?? 'unknown'}` : `died of ${signal}`}`,
          );
          if (!life.starting) restarting = restart();
        });
      });
    } finally {
      life.starting = false;
    }
    if (!isThere()) throw new Error('it ended while it was being started');
  }

  async function restart(): Promise<void> {
    await delay(isStopping() ? 0 : downMs);
    downMs = restartAfterUnaskedExitMs;
    while (!isStopping()) {
      try {
        await launch();
        journal.add('process', `${name} runs again`);
        return;
      } catch (error) {
        journal.add('process', `${name} does not start: ${error instanceof Error ? error.message : String(error)}`);
        if (isThere()) return; // its exit starts it again
        await delay(restartAfterUnaskedExitMs);
      }
    }
  }

  function signal(which: NodeJS.Signals): void {
    if (child === undefined) return;
    for (const pid of [child.pid, ...childrenOf(child.pid)]) send(pid, which);
  }

  try {
    await launch();
  } catch (error) {
    await child?.stop();
    throw new Error(`${name} does not start`, { cause: error });
  }
  return {
    name,
    kind,
    get state() {
      return state;
    },
    kill(forMs) {
      downMs = forMs;
      if (child !== undefined) send(child.pid, 'SIGKILL');
    },
    killOneOfFamily(place) {
      const family = child === undefined ? [] : childrenOf(child.pid);
      const victim = family[place % Math.max(1, family.length)];
      if (victim !== undefined) send(victim, 'SIGKILL');
      return victim !== undefined;
    },
    async freeze(milliseconds) {
      const frozen = child;
      state = 'frozen';
      signal('SIGSTOP');
      await delay(milliseconds);
      if (child !== frozen) return;
      signal('SIGCONT');
      state = 'running';
    },
    async stop() {
      life.stopping = true;
      signal('SIGCONT');
      await child?.stop(20_000);
      await restarting;
      await child?.stop(20_000);
    },
  };
}

function send(pid: number, which: NodeJS.Signals): void {
  try {
    process.kill(pid, which);
  } catch {
    // it has ended meanwhile
  }
}
