import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';

/** A process of the simulation: the code that runs in it sees its clocks and timers instead of the machine's. */
export interface Process {
  readonly name: string;
  /** By how much its wall clock is ahead of the database's. */
  readonly skewMs: number;
  /** Until when it stands still, as under SIGSTOP; 0: it runs. */
  frozenUntilMs: number;
  dead: boolean;
}

export interface Timer {
  readonly process: Process;
  readonly dueMs: number;
  readonly fire: () => void;
}

/** The clocks of a simulation. Nothing moves them but `advanceTo`. */
export interface VirtualTime {
  readonly nowMs: number;
  /** Timers that have not fired, in the order in which they fall due. */
  readonly timers: readonly Timer[];
  /** Runs code as part of a process: from here on, whatever it awaits. */
  inside<T>(process: Process, work: () => T): T;
  /** Calls back at an instant, unless the process is dead by then. */
  at(process: Process, dueMs: number, fire: () => void): Timer;
  remove(timer: Timer): void;
  removeAllOf(process: Process): void;
  advanceTo(ms: number): void;
  /** Random bytes are those of a counter, so that a run repeats. */
  readonly uuid: () => string;
}

interface Inside {
  readonly time: VirtualTime;
  readonly process: Process;
}

const context = new AsyncLocalStorage<Inside>();
const real = {
  Date,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: performance.now.bind(performance),
  uuid: crypto.randomUUID.bind(crypto),
};

export function createTime(beginningMs: number): VirtualTime {
  const state = { nowMs: beginningMs, uuids: 0 };
  let timers: Timer[] = [];
  const time: VirtualTime = {
    get nowMs() {
      return state.nowMs;
    },
    get timers() {
      return timers;
    },
    inside: (process, work) => context.run({ time, process }, work),
    at(process, dueMs, fire) {
      const timer: Timer = { process, dueMs, fire: () => context.run({ time, process }, fire) };
      const place = timers.findIndex((other) => other.dueMs > dueMs);
      if (place < 0) timers.push(timer);
      else timers.splice(place, 0, timer);
      return timer;
    },
    remove(timer) {
      timers = timers.filter((other) => other !== timer);
    },
    removeAllOf(process) {
      timers = timers.filter((other) => other.process !== process);
    },
    advanceTo(ms) {
      state.nowMs = Math.max(state.nowMs, ms);
    },
    uuid() {
      state.uuids += 1;
      return `00000000-0000-4000-8000-${state.uuids.toString(16).padStart(12, '0')}`;
    },
  };
  return time;
}

/** What `setTimeout` returns inside a process. */
class Handle {
  constructor(readonly cancel: () => void) {}
  unref(): this {
    return this;
  }
  ref(): this {
    return this;
  }
}

function setTimer({ time, process }: Inside, work: (...args: unknown[]) => void, ms: number, args: unknown[]): Handle {
  const timer = time.at(process, time.nowMs + Math.max(1, ms), () => work(...args));
  return new Handle(() => time.remove(timer));
}

const virtualDate = new Proxy(real.Date, {
  construct(target, args: unknown[], newTarget) {
    const inside = context.getStore();
    const own = inside === undefined || args.length > 0 ? args : [wallClockOf(inside)];
    const made: unknown = Reflect.construct(target, own, newTarget === virtualDate ? target : newTarget);
    return made instanceof real.Date ? made : new target(Number.NaN);
  },
  get(target, key, receiver): unknown {
    const inside = context.getStore();
    if (key === 'now' && inside !== undefined) return () => wallClockOf(inside);
    return Reflect.get(target, key, receiver === virtualDate ? target : receiver);
  },
});

const wallClockOf = ({ time, process }: Inside): number => Math.floor(time.nowMs + process.skewMs);

/**
 * Replaces the clocks, timers and random ids of this Node process by ones that ask which simulated process runs. Code
 * outside of every simulated process keeps the machine's.
 *
 * @returns puts them back
 */
export function installVirtualTime(): () => void {
  const install = (parts: {
    Date: unknown;
    setTimeout: unknown;
    clearTimeout: unknown;
    now: unknown;
    uuid: unknown;
  }) => {
    const { now, uuid, ...globals } = parts;
    Object.assign(globalThis, globals);
    Object.defineProperty(performance, 'now', { value: now, configurable: true, writable: true });
    Object.assign(crypto, { randomUUID: uuid });
    syncBuiltinESMExports();
  };
  install({
    Date: virtualDate,
    setTimeout: Object.assign((work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      const inside = context.getStore();
      return inside === undefined ? real.setTimeout(work, ms, ...args) : setTimer(inside, work, ms, args);
    }, real.setTimeout),
    clearTimeout: (handle: unknown) => {
      if (handle instanceof Handle) handle.cancel();
      else Reflect.apply(real.clearTimeout, undefined, [handle]);
    },
    now: () => context.getStore()?.time.nowMs ?? real.now(),
    uuid: () => context.getStore()?.time.uuid() ?? real.uuid(),
  });
  return () => install(real);
}

/** Lets whatever can go on without the network or a timer go on. */
export const settle = (): Promise<void> =>
  context.exit(
    () =>
      new Promise((resolve) => {
        setImmediate(() => setImmediate(resolve));
      }),
  );
