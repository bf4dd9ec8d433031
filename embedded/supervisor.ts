import { setTimeout as delay } from 'node:timers/promises';
import type { Child } from './child.js';
import type { ProcessList } from './process-list.js';

/** One process that runs until it has to stop. */
export interface Part {
  readonly name: string;
  /** How long it may take to end in good order; omitted: 15 s. */
  readonly stopWithinMs?: number;
  /**
   * Starts it and resolves when it serves. Called again after each death.
   * @param spawned called with the process as soon as there is one, so that it is known whatever happens next
   */
  start(spawned: (child: Child) => void): Promise<Child>;
}

export interface Supervisor {
  /** Starts a part and keeps it running; rejects if its first start fails. */
  run(part: Part): Promise<void>;
  /** Stops the named parts, those of one list at the same time, the lists one after the other. */
  stop(order: readonly (readonly string[])[]): Promise<void>;
}

export interface SupervisorOptions {
  readonly list: ProcessList;
  readonly say: (line: string) => void;
  /** Called when a part was started again, with another pid. An error that it throws is printed and changes nothing. */
  readonly onRestart: () => void;
}

const shortestPauseMs = 250;
const longestPauseMs = 15_000;
/** A part that has served this long starts its pauses from the shortest again. */
const steadyMs = 5_000;

/** Keeps processes running: one that ends unasked is started again, at once at first, then with longer and longer pauses. */
export function createSupervisor({ list, say, onRestart }: SupervisorOptions): Supervisor {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const children = new Map<string, Child>();
  const stopsWithinMs = new Map<string, number | undefined>();
  const watches: Promise<void>[] = [];

  /** Says what failed beside the part itself: neither a full disk nor a reader of our news may cost a process. */
  function aside(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      say(`${what}: ${wordsOf(error)}`);
    }
  }

  function remember(part: Part, child: Child): void {
    children.set(part.name, child);
    aside(`${part.name} could not be written down`, () => list.set(part.name, child));
  }

  function forget(part: Part): void {
    children.delete(part.name);
    aside(`${part.name} could not be struck off`, () => list.remove(part.name));
  }

  /** Resolves when the part serves. If it does not come to that, the process that was spawned for it is ended first. */
  async function start(part: Part): Promise<Child> {
    try {
      return await part.start((spawned) => remember(part, spawned));
    } catch (error) {
      await children.get(part.name)?.stop(1000);
      forget(part);
      throw error;
    }
  }

  async function restart(part: Part, pauseMs: number): Promise<void> {
    for (let pause = pauseMs; !isStopping(); pause = Math.min(pause * 2, longestPauseMs)) {
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (isStopping()) return;
      const child = await start(part).catch((error: unknown) => {
        say(`${part.name} does not start: ${wordsOf(error)}`);
        return undefined;
      });
      if (child === undefined) continue;
      if (isStopping()) {
        await child.stop();
        return;
      }
      say(`${part.name} runs again (process ${child.pid}).`);
      aside('What runs now could not be announced', onRestart);
      return;
    }
  }

  async function watch(part: Part): Promise<void> {
    let pause = shortestPauseMs;
    while (!isStopping()) {
      const since = performance.now();
      const child = children.get(part.name);
      if (child === undefined) return;
      const { code, signal } = await child.exited;
      forget(part);
      if (isStopping()) return;
      pause = performance.now() - since > steadyMs ? shortestPauseMs : pause;
      const how = signal === null ? `ended with code ${code ?? 'unknown'}` : `was ended by ${signal}`;
      say(`${part.name} ${how}; it is started again in ${pause / 1000} s.`);
      await restart(part, pause);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  }

  return {
    run: async (part) => {
      stopsWithinMs.set(part.name, part.stopWithinMs);
      await start(part);
      watches.push(watch(part));
    },
    stop: async (order) => {
      stopping.abort();
      for (const names of order) {
        await Promise.all(names.map(async (name) => children.get(name)?.stop(stopsWithinMs.get(name))));
      }
      await Promise.all(watches);
    },
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
