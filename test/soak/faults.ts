import { setTimeout as delay } from 'node:timers/promises';
import type { Interval, Journal } from './journal.js';
import type { Link } from './link.js';
import type { Program, ProgramKind } from './program.js';
import type { Chance } from './random.js';
import type { SoakEnv } from './test-env.js';

/** While something lay between the dialers and the carrier, or between any of those that decide when a call leaves. */
export interface Held {
  readonly road: Interval[];
  readonly pace: Interval[];
}

export interface Faults {
  readonly held: Held;
  /** Faults that could not be made or undone, and why: a mistake of the soak or a limit of this machine. */
  readonly failures: readonly string[];
  /** Begins one fault every so often until `signal`; resolves when all are over. */
  run(meanMs: number, most: number, signal: AbortSignal): Promise<void>;
}

interface FaultKind {
  readonly name: string;
  readonly weight: number;
  /** Begins it and resolves when it is over; false if it found nothing to harm. */
  inflict(): Promise<boolean>;
}

/** Words of statements whose lost answer matters most; an empty one is any request at all. */
const ambushes = ['commit', 'gate_attempts', 'claim_attempts', 'pace_attempts', 'call_attempts', ''] as const;

const leaseMs = 15_000;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function createFaults(testEnv: SoakEnv, chance: Chance, journal: Journal): Faults {
  const held: Held = { road: [], pace: [] };
  const failures: string[] = [];
  const dialers = testEnv.programs.filter(({ kind }) => kind === 'dialer');

  function note(link: Link, milliseconds: number): void {
    const interval = { fromMs: Date.now(), untilMs: Date.now() + milliseconds };
    if (link.name.endsWith('>carrier')) held.road.push(interval);
    if (link.name.startsWith('dialer')) held.pace.push(interval);
  }

  function pickProgram(weights: Readonly<Record<ProgramKind, number>>): Program | undefined {
    const up = testEnv.programs
      .filter(({ state }) => state === 'running')
      .map((program) => ({ program, weight: weights[program.kind] }));
    return up.length === 0 ? undefined : chance.weighted(up).program;
  }

  function pickLink(): Link {
    return chance.weighted(testEnv.links.map((link) => ({ link, weight: link.name.startsWith('dialer') ? 3 : 1 })))
      .link;
  }

  const lasts = (milliseconds: number): string => `for ${(milliseconds / 1000).toFixed(1)} s`;

  async function freeze(program: Program | undefined, milliseconds: number, name: string): Promise<boolean> {
    if (program === undefined) return false;
    journal.countFault(name, `${program.name} is frozen ${lasts(milliseconds)}`);
    const fromMs = Date.now();
    await program.freeze(milliseconds);
    const interval = { fromMs, untilMs: Date.now() };
    if (program.kind === 'carrier') held.road.push(interval);
    held.pace.push(interval);
    return true;
  }

  /** A fault of a link that lasts; `begin` does it. */
  const ofLink = (
    name: string,
    weight: number,
    [shortestMs, longestMs]: readonly [number, number],
    begin: (link: Link, milliseconds: number) => string,
  ): FaultKind => ({
    name,
    weight,
    async inflict() {
      const link = pickLink();
      const milliseconds = chance.between(shortestMs, longestMs);
      if (link.connections === 0) return false;
      const how = begin(link, milliseconds);
      note(link, milliseconds);
      journal.countFault(name, `${link.name} ${how}`);
      return true;
    },
  });

  const kinds: readonly [FaultKind, ...FaultKind[]] = [
    ofLink('cut', 14, [0, 0], (link) => {
      link.cut();
      return 'is cut';
    }),
    ofLink('held', 12, [300, 6_000], (link, milliseconds) => {
      link.hold(milliseconds);
      return `is held ${lasts(milliseconds)}`;
    }),
    ofLink('slow', 10, [2_000, 10_000], (link, milliseconds) => {
      const delayMs = chance.whole(50, 1_500);
      link.slow(delayMs, milliseconds);
      return `is slow by ${delayMs} ms ${lasts(milliseconds)}`;
    }),
    ofLink('refused', 6, [500, 6_000], (link, milliseconds) => {
      link.refuse(milliseconds);
      return `is refused ${lasts(milliseconds)}`;
    }),
    ofLink('half-closed', 8, [2_000, 20_000], (link, milliseconds) => {
      const side = chance.pick(['client', 'server']);
      link.halfClose(side, milliseconds);
      return `is closed towards its ${side} ${lasts(milliseconds)}`;
    }),
    {
      name: 'answer lost',
      weight: 24,
      async inflict() {
        const link = pickLink();
        const words = link.name.endsWith('>postgres') ? chance.pick(ambushes) : '';
        if (!(await link.loseAnswer(words, 10_000))) return false;
        journal.countFault('answer lost', `${link.name} lost the answer to ${words === '' ? 'a request' : words}`);
        return true;
      },
    },
    {
      name: 'killed',
      weight: 16,
      async inflict() {
        const program = pickProgram({ api: 2, worker: 3, dialer: 6, carrier: 2, postgres: 1.5, temporal: 1.5 });
        if (program === undefined) return false;
        const downMs = chance.whole(0, 4_000);
        journal.countFault(`killed ${program.kind}`, `${program.name} is killed, for ${downMs} ms`);
        program.kill(downMs);
        if (program.kind === 'dialer' || program.kind === 'postgres') {
          held.pace.push({ fromMs: Date.now(), untilMs: Date.now() + downMs });
        }
        return true;
      },
    },
    {
      name: 'backend killed',
      weight: 2,
      async inflict() {
        const postgres = testEnv.programs.find(({ kind, state }) => kind === 'postgres' && state === 'running');
        if (postgres?.killOneOfFamily(chance.whole(0, 1_000)) !== true) return false;
        journal.countFault('killed backend', 'a process of postgres is killed');
        held.pace.push({ fromMs: Date.now(), untilMs: Date.now() + 3_000 });
        return true;
      },
    },
    {
      name: 'frozen',
      weight: 10,
      async inflict() {
        const program = pickProgram({ api: 2, worker: 2, dialer: 4, carrier: 1, postgres: 1, temporal: 1 });
        return freeze(program, chance.between(300, 6_000), `frozen ${program?.kind ?? ''}`);
      },
    },
    {
      name: 'frozen past the lease',
      weight: 5,
      async inflict() {
        const running = dialers.filter(({ state }) => state === 'running');
        // Most times another one goes on meanwhile; where none does, what the frozen one held is still its own when it wakes.
        if (running.length === 0 || (running.length < dialers.length && !chance.happens(0.3))) return false;
        return freeze(chance.pick(running), leaseMs + chance.between(500, 8_000), 'frozen dialer past its lease');
      },
    },
    {
      name: 'clock',
      weight: 4,
      async inflict() {
        const [first, second] = dialers;
        if (first === undefined || second === undefined) return false;
        const [early, late] = chance.happens(0.5) ? [first, second] : [second, first];
        const milliseconds = chance.between(3_000, 15_000);
        journal.countFault(
          'clocks apart',
          `${early.name} is 15 s early and ${late.name} 15 s late, ${lasts(milliseconds)}`,
        );
        testEnv.shiftClock(early.name, 15_000);
        testEnv.shiftClock(late.name, -15_000);
        await delay(milliseconds);
        for (const dialer of dialers) testEnv.shiftClock(dialer.name, 0);
        return true;
      },
    },
    {
      name: 'disk full',
      weight: 1.5,
      async inflict() {
        const { disk } = testEnv;
        if ('skipped' in disk) return false;
        const milliseconds = chance.between(1_000, 6_000);
        journal.countFault('disk full', `the database's disk is full ${lasts(milliseconds)}`);
        held.pace.push({ fromMs: Date.now(), untilMs: Date.now() + milliseconds + 3_000 });
        try {
          disk.fill();
          await delay(milliseconds);
        } finally {
          disk.free();
        }
        return true;
      },
    },
  ];

  return {
    ...{ held, failures },
    async run(meanMs, most, signal) {
      const going = new Set<Promise<unknown>>();
      const count = () => [...journal.faults.values()].reduce((sum, each) => sum + each, 0);
      while (!signal.aborted && count() < most) {
        const kind = chance.weighted(kinds);
        const fault = kind
          .inflict()
          .catch((error: unknown) => failures.push(`${kind.name}: ${reasonOf(error)}`))
          .finally(() => going.delete(fault));
        going.add(fault);
        await delay(chance.waitMs(meanMs), undefined, { signal }).catch(() => undefined);
      }
      await Promise.all(going);
    },
  };
}
