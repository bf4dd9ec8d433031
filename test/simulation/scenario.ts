import fc from 'fast-check';
import type { Script } from './carrier.js';
import type { BatchSetting, Setting } from './world.js';

/** One choice of the simulation. `which` and `how` are taken modulo what there is to choose from. */
export interface Move {
  readonly kind: MoveKind;
  readonly which: number;
  readonly how: number;
}

export type MoveKind =
  /** One thing that can happen, whichever. */
  | 'step'
  /** So many of them, in their order, with time going on where nothing is left. */
  | 'flow'
  /** Time goes on while things are under way. */
  | 'wait'
  | 'lapse'
  | 'freeze'
  | 'kill'
  | 'stopDialer'
  | 'startDialer'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'optOut'
  | 'stop'
  | 'goOn'
  | 'endCall'
  | 'moveWindow';

export interface Scenario {
  readonly setting: Setting;
  readonly carrierFences: boolean;
  /** By how much the clocks of dialers are ahead, in milliseconds; as many dialers as there are entries. */
  readonly skewsMs: readonly number[];
  readonly leaseSeconds: number;
  /** All dialers but one die when nothing holds anything up any more. */
  readonly onlyOneIsLeft: boolean;
  /** What becomes of the first order to dial, the second, …; then the last again and again. */
  readonly scripts: readonly Script[];
  readonly moves: readonly Move[];
}

/** Numbers that are called: few, so that several calls want the same one. */
export const numberCount = 12;

const callee = fc.nat({ max: numberCount - 1 });

const batch = (gateways: number): fc.Arbitrary<BatchSetting> =>
  fc.record({
    gateway: fc.nat({ max: gateways - 1 }),
    retryDelaysSeconds: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
    maxConcurrentCalls: fc.option(fc.integer({ min: 1, max: 3 })),
    closesAfterMinutes: fc.option(fc.integer({ min: 1, max: 2 }), { freq: 3 }),
    callees: fc.array(callee, { minLength: 3, maxLength: 12, size: 'max' }),
  });

const setting: fc.Arbitrary<Setting> = fc.integer({ min: 1, max: 2 }).chain((count) =>
  fc.record({
    gateways: fc.array(
      fc.record({
        callsPerSecond: fc.constantFrom(2, 5, 20),
        maxConcurrentCalls: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: count, maxLength: count },
    ),
    batches: fc.array(batch(count), { minLength: 1, maxLength: 2 }),
    singles: fc.array(callee, { maxLength: 2 }),
  }),
);

const ringMs = fc.integer({ min: 50, max: 2_000 });
const talkMs = fc.integer({ min: 100, max: 6_000 });
const script: fc.Arbitrary<Script> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answered' as const), ringMs, talkMs }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('busy' as const), ringMs }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unanswered' as const), ringMs }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('throttled' as const), ringMs }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'unreachable' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('answer_lost' as const), placed: fc.boolean(), talkMs }),
  },
);

const weights: Readonly<Record<MoveKind, number>> = {
  ...{ step: 50, flow: 25, wait: 12, lapse: 2, freeze: 5, kill: 1, stopDialer: 1, startDialer: 2 },
  ...{ pause: 2, resume: 2, cancel: 0.4, optOut: 0.6, stop: 0.6, goOn: 1.5, endCall: 0.8, moveWindow: 0.8 },
};

function kindsNamed(name: string): MoveKind[] {
  const kinds: readonly MoveKind[] = [
    ...(['step', 'flow', 'wait', 'lapse', 'freeze', 'kill', 'stopDialer', 'startDialer', 'pause', 'resume'] as const),
    ...(['cancel', 'optOut', 'stop', 'goOn', 'endCall', 'moveWindow'] as const),
  ];
  return kinds.filter((one) => one === name);
}

/** Odds of moves, where they are not the usual ones. */
export type Odds = Partial<Record<MoveKind, number>>;

function moves(odds: Odds): fc.Arbitrary<Move> {
  const kind = fc.oneof(
    ...Object.entries({ ...weights, ...odds }).map(([name, weight]) => ({
      weight: Math.round(weight * 10),
      arbitrary: fc.constantFrom(...kindsNamed(name)),
    })),
  );
  return fc.record({ kind, which: fc.nat({ max: 999 }), how: fc.nat({ max: 999 }) });
}

export const scenarios = (odds: Odds = {}): fc.Arbitrary<Scenario> =>
  fc.record({
    setting,
    carrierFences: fc.boolean(),
    skewsMs: fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 2, maxLength: 3 }),
    leaseSeconds: fc.constantFrom(3, 3, 15),
    onlyOneIsLeft: fc.boolean(),
    scripts: fc.array(script, { minLength: 1, maxLength: 40, size: 'max' }),
    moves: fc.array(moves(odds), { minLength: 60, maxLength: 200, size: 'max' }),
  });
