import fc from 'fast-check';
import type { Script } from './carrier.js';
import type { HoursPlan, Turn } from './hours.js';
import { unlimited } from './judge-numbers.js';
import { planBy } from './orders.js';
import type { NumberLimits } from '../../db/queries/telephony/number-limits.js';
import type { BatchSetting, OnRetry, Setting } from './setting.js';

/** One choice of the simulation. `which` and `how` are taken modulo what there is to choose from. */
export interface Move {
  readonly kind: MoveKind;
  readonly which: number;
  readonly how: number;
}

export type MoveKind =
  /** One thing that can happen, whichever. */
  | 'step'
  /** So many of them, in their order, with time going on if nothing is left. */
  | 'flow'
  /** Time goes on while things are under way. */
  | 'wait'
  | 'lapse'
  | 'freeze'
  /** A dialer stands still until its lease has run out, while all others go on. */
  | 'oversleep'
  /** A question to the gate arrives after its dialer has given it up. */
  | 'lateGate'
  /** The gate's answer is on its way for a while. */
  | 'slowGate'
  /** What a dialer writes of the end of a leg is delayed, or lost and repeated, or it sleeps past its lease before it repeats it. */
  | 'lateOutcome'
  /** The commit of an outcome is carried out and its answer lost; the dialer repeats it when the next attempt has been dialed. */
  | 'outcomeAgain'
  /** An order is carried out, up to any of its statements, while an attempt stands before the gate. */
  | 'optOutAtGate'
  | 'cancelAtGate'
  | 'windowAtGate'
  | 'guardAtGate'
  /** A window is changed or removed while a call is out that the carrier is going to send back. */
  | 'windowWhileOut'
  /** A minute ends while an attempt stands before the gate. */
  | 'minuteAtGate'
  /** It ends while the gate's answer is on its way. */
  | 'minuteAfterGate'
  /** Hours or a day go by. */
  | 'nextDay'
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
  | 'moveWindow'
  /** A number may be called again. */
  | 'optIn'
  /** The operator suspends the account, and ends that. */
  | 'suspend'
  | 'unsuspend'
  /** Other limits, for a gateway or a batch. */
  | 'limitGateway'
  | 'limitBatch'
  /** So many attempts per number and day, by the account's guardrails. */
  | 'guard'
  /** Other limits of a number that calls go out from. */
  | 'limitNumber'
  /** Agents come and go. */
  | 'agents'
  | RecipientMove;

/** Orders about single recipients, and about batches that wait for more. */
export type RecipientMove =
  | 'addRecipients'
  /** The same request as one before. */
  | 'addAgain'
  /** A request that is repeated while its first try is still carried out. */
  | 'addTwice'
  /** While the batch is about to end. */
  | 'addAtEnd'
  | 'skip'
  | 'notBefore'
  | 'callAgain'
  | 'close'
  | 'open'
  /** While an attempt stands before the gate. */
  | 'skipAtGate'
  | 'notBeforeAtGate';

export interface Scenario {
  readonly setting: Setting;
  readonly carrierFences: boolean;
  /** By how much the clocks of dialers are ahead, in milliseconds; as many dialers as there are entries. */
  readonly skewsMs: readonly number[];
  readonly leaseSeconds: number;
  /** All dialers but one die when nothing holds anything up any more. */
  readonly onlyOneIsLeft: boolean;
  /** What becomes of the first order to dial, the second, …; those after the last are answered. */
  readonly scripts: readonly Script[];
  readonly moves: readonly Move[];
}

/** Numbers that are called: few, so that several calls want the same one. */
export const numberCount = 12;

const callee = fc.nat({ max: numberCount - 1 });

/** One in eight times something, else null. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const numberLimits: fc.Arbitrary<NumberLimits> = fc.record({
  maxCallsPerDay: seldom(fc.integer({ min: 2, max: 12 })),
  minSecondsBetweenCalls: seldom(fc.integer({ min: 1, max: 4 })),
});

const batch = (gateways: number): fc.Arbitrary<BatchSetting> =>
  fc.record({
    gateway: fc.nat({ max: gateways - 1 }),
    retryDelaysSeconds: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
    maxConcurrentCalls: fc.option(fc.integer({ min: 1, max: 3 })),
    window: fc.option(fc.nat({ max: 999 }).map(planBy), { freq: 3 }),
    callees: fc.array(callee, { minLength: 3, maxLength: 12, size: 'max' }),
    open: fc.boolean(),
    pool: seldom(fc.constantFrom<OnRetry>('same', 'other')),
    stopAfter: seldom(fc.integer({ min: 1, max: 6 })),
    stopAfterSuccess: seldom(fc.integer({ min: 1, max: 4 })),
    untilSeconds: seldom(fc.integer({ min: 3, max: 60 })),
    priority: fc.constantFrom(5, 5, 1, 9),
    preDial: seldom(fc.constantFrom('wait' as const, 'skip' as const, 'dial' as const)),
    maxCost: seldom(fc.integer({ min: 1, max: 6 })),
  });

const begins: fc.Arbitrary<Setting['begins']> = fc.record({
  turn: fc.constantFrom<Turn>('noon', 'noon', 'clocksForward', 'clocksBack'),
  secondsBefore: fc.constantFrom(1, 3, 10, 50),
});

const setting: fc.Arbitrary<Setting> = fc.integer({ min: 1, max: 2 }).chain((count) =>
  fc.record({
    begins,
    hours: fc.oneof(
      { weight: 9, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.nat({ max: 999 }).map(planBy) },
    ),
    agents: fc.option(fc.integer({ min: 1, max: 5 })),
    gateways: fc.array(
      fc
        .record({
          callsPerSecond: fc.constantFrom(2, 5, 20),
          maxConcurrentCalls: fc.integer({ min: 1, max: 6 }),
          numbers: fc.array(numberLimits, { minLength: 1, maxLength: 3 }),
          reserved: fc.option(fc.nat({ max: 4 }), { nil: 0 }),
        })
        .map(({ reserved, ...limits }) => ({ ...limits, reservedCalls: reserved % limits.maxConcurrentCalls })),
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
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fault' as const), ringMs }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'unreachable' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('answer_lost' as const), placed: fc.boolean(), talkMs }),
  },
);

/** So that another INVITE, or another attempt, is live when the end of this one is told late. */
const refusedOrLong: fc.Arbitrary<Script> = fc.oneof(
  fc.record({ kind: fc.constantFrom('throttled' as const, 'busy' as const), ringMs: fc.constant(50) }),
  fc.record({ kind: fc.constant('answered' as const), ringMs: fc.constant(6_000), talkMs: fc.constant(3_000) }),
);

/** The carrier is full: the same attempt is sent again, and again. */
const sentBack: fc.Arbitrary<Script> = fc.record({ kind: fc.constant('throttled' as const), ringMs });

/** Nobody can be spoken to: each call goes through its retry plan. */
const busy: fc.Arbitrary<Script> = fc.record({ kind: fc.constant('busy' as const), ringMs: fc.constant(50) });

/** Everybody can be spoken to. */
const answered: fc.Arbitrary<Script> = fc.record({
  kind: fc.constant('answered' as const),
  ringMs: fc.constant(50),
  talkMs: fc.constant(300),
});

/** Some talk for long, others not. */
const unlike: fc.Arbitrary<Script> = fc.record({
  kind: fc.constant('answered' as const),
  ringMs: fc.constant(50),
  talkMs: fc.constantFrom(100, 6_000),
});

const scriptsOf: Partial<Record<Start, fc.Arbitrary<Script>>> = {
  refused: refusedOrLong,
  sentBack,
  busy,
  pooled: busy,
  pooledOther: busy,
  stopping: answered,
  succeeding: answered,
  costing: answered,
  shared: answered,
  sharedLines: unlike,
  asking: busy,
};

const weights: Readonly<Record<MoveKind, number>> = {
  ...{
    step: 50,
    flow: 25,
    wait: 12,
    lapse: 2,
    freeze: 5,
    oversleep: 0.5,
    lateGate: 1,
    slowGate: 0.5,
    lateOutcome: 0.6,
    outcomeAgain: 0.3,
    optOutAtGate: 0.3,
    cancelAtGate: 0.1,
    windowAtGate: 0.3,
    windowWhileOut: 0.3,
    guardAtGate: 0.3,
    minuteAtGate: 0.5,
    minuteAfterGate: 0.5,
    nextDay: 0.2,
    kill: 1,
    stopDialer: 1,
    startDialer: 2,
  },
  ...{ pause: 2, resume: 2, cancel: 0.4, optOut: 0.6, stop: 0.6, goOn: 1.5, endCall: 0.8, moveWindow: 0.8 },
  ...{
    optIn: 0.2,
    suspend: 0.3,
    unsuspend: 1,
    limitGateway: 1,
    limitBatch: 0.5,
    limitNumber: 0.3,
    guard: 0.4,
    agents: 0.5,
  },
  ...{
    addRecipients: 0.8,
    addAgain: 0.3,
    addTwice: 0.3,
    addAtEnd: 0.3,
    skip: 0.6,
    notBefore: 0.6,
    callAgain: 1,
    close: 0.2,
    open: 0.2,
  },
  ...{ skipAtGate: 0.3, notBeforeAtGate: 0.3 },
};

const isKind = (name: string): name is MoveKind => name in weights;

/** Odds of moves, if they are not the usual ones. */
export type Odds = Partial<Record<MoveKind, number>>;

/** No moves but those that are named beside it. */
export const noMoves: Odds = Object.fromEntries(Object.keys(weights).map((name) => [name, 0]));

function moves(odds: Odds): fc.Arbitrary<Move> {
  const kind = fc.oneof(
    ...Object.entries({ ...weights, ...odds }).map(([name, weight]) => ({
      weight: Math.round(weight * 10),
      arbitrary: fc.constantFrom(...[name].filter(isKind)),
    })),
  );
  return fc.record({ kind, which: fc.nat({ max: 999 }), how: fc.nat({ max: 999 }) });
}

/**
 * How a scenario starts: `few` calls that two dialers want, and that are `refused` before they are taken, or all of them
 * `sentBack`, which takes longer to come to its end than is waited for, or all `busy`; many that are `waiting` for the slots
 * of a slow gateway,
 * `crowded` on one of few channels, or on one whose channels are `reserved` but for one, or whose window is `closing` in a moment, or the calling hours of whose account are
 * (`lateHours`); a batch that stays `open`. Or of `waiting` calls the number is `limited` to few a day, or `spaced`; they are `pooled`
 * and busy; the batch is `stopping` after few answers, or after few that are a success (`succeeding`), or two of them at the cost of few
 * (`costing`), or at an instant (`until`).
 * Of `asking`, an endpoint is asked before calls, and most are busy.
 * Batches of unlike priority wait for a slow gateway (`shared`), or equal ones for the lines of one (`sharedLines`).
 */
export type Start =
  | 'any'
  | 'limited'
  | 'spaced'
  | 'pooled'
  | 'pooledOther'
  | 'stopping'
  | 'succeeding'
  | 'costing'
  | 'shared'
  | 'sharedLines'
  | 'asking'
  | 'until'
  | 'few'
  | 'refused'
  | 'sentBack'
  | 'busy'
  | 'waiting'
  | 'crowded'
  | 'reserved'
  | 'closing'
  | 'lateHours'
  | 'open';

const soonOver = (zone: string): HoursPlan => ({ zone, opensAfterMinutes: -60, closesAfterMinutes: 0, oneDay: false });

const usualBatch: Omit<BatchSetting, 'callees' | 'window'> = {
  ...{ gateway: 0, retryDelaysSeconds: [1, 1], maxConcurrentCalls: null, open: false, pool: null },
  ...{ stopAfter: null, stopAfterSuccess: null, maxCost: null, untilSeconds: null, priority: 5, preDial: null },
};

const startOf = (
  gateway: Setting['gateways'][number],
  [minLength, maxLength]: readonly [number, number],
  {
    window = null,
    hours = null,
    ...batchToo
  }: { readonly window?: HoursPlan | null; readonly hours?: HoursPlan | null } & Partial<BatchSetting> = {},
): fc.Arbitrary<Setting> =>
  fc.record({
    begins:
      window === null
        ? begins
        : fc.constantFrom(1, 2, 3).map((secondsBefore) => ({ turn: 'noon' as const, secondsBefore })),
    hours: fc.constant(hours),
    agents: fc.constant(null),
    gateways: fc.constant([gateway]),
    batches: fc.tuple(
      fc
        .uniqueArray(callee, { minLength, maxLength, size: 'max' })
        .map((callees): BatchSetting => ({ ...usualBatch, ...batchToo, window, callees })),
    ),
    singles: fc.constant([]),
  });

/** Several batches of these priorities, each with callees of its own. */
const sharedBy = (
  gateway: Setting['gateways'][number],
  priorities: readonly number[],
  size: number,
): fc.Arbitrary<Setting> =>
  startOf(gateway, [1, 1]).map((one) => ({
    ...one,
    batches: priorities.map((priority, place) => ({
      ...{ ...usualBatch, priority, window: null },
      callees: Array.from({ length: size }, (_, at) => place * size + at),
    })),
  }));

const gatewayOf = (
  callsPerSecond: number,
  maxConcurrentCalls: number,
  reservedCalls = 0,
  numbers: readonly NumberLimits[] = [unlimited],
) => ({ callsPerSecond, maxConcurrentCalls, reservedCalls, numbers });
const most = (maxCallsPerDay: number): NumberLimits => ({ maxCallsPerDay, minSecondsBetweenCalls: null });
const apart = (minSecondsBetweenCalls: number): NumberLimits => ({ maxCallsPerDay: null, minSecondsBetweenCalls });

const settings: Readonly<Record<Start, fc.Arbitrary<Setting>>> = {
  any: setting,
  few: startOf(gatewayOf(20, 6), [1, 3]),
  refused: startOf(gatewayOf(20, 6), [1, 3]),
  sentBack: startOf(gatewayOf(20, 6), [1, 3]),
  busy: startOf(gatewayOf(20, 6), [1, 3]),
  waiting: startOf(gatewayOf(2, 6), [8, 12]),
  closing: startOf(gatewayOf(5, 6), [10, 12], { window: soonOver('UTC') }),
  lateHours: startOf(gatewayOf(5, 6), [12, 12], { hours: soonOver('recipient') }),
  crowded: startOf(gatewayOf(20, 2), [8, 12]),
  reserved: startOf(gatewayOf(20, 4, 3), [8, 12]),
  open: startOf(gatewayOf(20, 6), [1, 3], { open: true }),
  limited: startOf(gatewayOf(20, 6, 0, [most(3)]), [8, 12]),
  spaced: startOf(gatewayOf(20, 6, 0, [apart(2)]), [8, 12]),
  pooled: startOf(gatewayOf(20, 6, 0, [unlimited, unlimited, unlimited]), [3, 6], { pool: 'same' }),
  pooledOther: startOf(gatewayOf(20, 6, 0, [unlimited, unlimited, unlimited]), [3, 6], { pool: 'other' }),
  stopping: startOf(gatewayOf(2, 6), [8, 12], { stopAfter: 2 }),
  succeeding: startOf(gatewayOf(2, 6), [8, 12], { stopAfterSuccess: 2 }),
  costing: sharedBy(gatewayOf(2, 6), [5, 5], 8).map((shared) => ({
    ...shared,
    batches: shared.batches.map((each) => ({ ...each, maxCost: 2 })),
  })),
  until: startOf(gatewayOf(2, 6), [8, 12], { untilSeconds: 4 }),
  shared: sharedBy(gatewayOf(2, 40), [1, 9], 16),
  sharedLines: sharedBy(gatewayOf(20, 6), [5, 5], 20),
  asking: startOf(gatewayOf(20, 6), [8, 12], { preDial: 'wait' }),
};

export const scenarios = (odds: Odds = {}, start: Start = 'any'): fc.Arbitrary<Scenario> =>
  fc.record({
    setting: settings[start],
    carrierFences: fc.boolean(),
    skewsMs: fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 2, maxLength: start === 'any' ? 3 : 2 }),
    leaseSeconds: start === 'any' ? fc.constantFrom(3, 3, 15) : fc.constant(3),
    onlyOneIsLeft: fc.boolean(),
    scripts: fc.array(scriptsOf[start] ?? script, { minLength: 1, maxLength: 40, size: 'max' }),
    // Where few calls are made, they are soon over.
    moves: fc.array(
      moves(odds),
      start === 'any' ? { minLength: 60, maxLength: 200, size: 'max' } : { minLength: 12, maxLength: 40, size: 'max' },
    ),
  });
