import { smooth, type Course, type Happening, type Happenings } from './happenings.js';
import { settle, type Process, type VirtualTime } from './time.js';
import type { Wire } from './wire.js';

/** Has what can happen happen, one thing after the other, and time pass in between. */
export interface Engine {
  /** So much has happened. */
  readonly steps: number;
  /** What can happen now: what has been sent, and timers of processes that run. */
  possible(): Happening[];
  happen(happening: Happening, how: Course): Promise<void>;
  /** Processes that stand still wake up when their time has come. */
  passTo(ms: number): Promise<void>;
  /** When something is due next, if nothing else happens. */
  nextInstant(): number | undefined;
  /** The next thing in its order; if nothing is left, time goes on to the next instant. */
  flow(): Promise<void>;
}

export function createEngine(deps: {
  readonly time: VirtualTime;
  readonly happenings: Happenings;
  readonly wire: Wire;
  readonly note: (words: string) => void;
  /** Processes that may stand still. */
  readonly processes: () => readonly Process[];
  /** Looks at what has come about, after so many steps. */
  readonly look: (steps: number) => Promise<void>;
}): Engine {
  const { time, happenings, wire, note } = deps;
  let steps = 0;

  function possible(): Happening[] {
    // Of each process, the timer that is due first: a process fires them in their order.
    const first = new Map(time.timers.toReversed().map((timer) => [timer.process, timer]));
    const due = time.timers.filter(
      (timer) => first.get(timer.process) === timer && timer.dueMs <= time.nowMs && timer.process.frozenUntilMs === 0,
    );
    return [
      ...happenings.list.filter(({ process, atProcess }) => !atProcess || process.frozenUntilMs === 0),
      ...due.map((timer) => ({
        ...{ process: timer.process, what: 'a timer', atProcess: true },
        run: () => {
          time.remove(timer);
          timer.fire();
        },
      })),
    ];
  }

  async function happen(happening: Happening, how: Course): Promise<void> {
    steps += 1;
    const { process: by, what } = happening;
    if (what !== 'a timer') note(`${by.name}: ${what}${how.broken === null ? '' : `, broken ${how.broken}`}`);
    happenings.take(happening);
    await happening.run(how);
    await settle();
    await deps.look(steps);
  }

  async function passTo(ms: number): Promise<void> {
    time.advanceTo(ms);
    for (const own of deps.processes()) {
      if (own.frozenUntilMs > 0 && own.frozenUntilMs <= time.nowMs) {
        note(`${own.name} goes on`);
        own.frozenUntilMs = 0;
      }
    }
    await wire.endIdleTransactions();
  }

  function nextInstant(): number | undefined {
    const instants = [
      ...time.timers.filter((timer) => timer.process.frozenUntilMs === 0).map((timer) => timer.dueMs),
      ...deps.processes().flatMap(({ frozenUntilMs }) => (frozenUntilMs > 0 ? [frozenUntilMs] : [])),
    ];
    return instants.length === 0 ? undefined : Math.max(time.nowMs, Math.min(...instants));
  }

  return {
    get steps() {
      return steps;
    },
    possible,
    happen,
    passTo,
    nextInstant,
    async flow() {
      const [next] = possible();
      if (next !== undefined) return happen(next, smooth);
      const instant = nextInstant();
      if (instant !== undefined) await passTo(instant);
    },
  };
}
