import type { Db } from '../../db/client.js';
import { nextOpening, type CallingWindow } from '../../domain/call/calling-window.js';
import { refText, type CarrierLeg } from './carrier.js';
import { brokenLimits, createLimits, type Limits } from './limits.js';
import { passedUnderVoidClaims, wrongAtEnd, wrongNow, type Passed } from './records.js';
import { batchId, callIdAt, numberAt, windowClosingAfter, type Setting } from './world.js';

/** Longer than this after the gate, a process that stood still must not send (dialer/gating.ts). */
const frozenMs = 2_000;

/** What was answered to whoever gave an order, and what it forbids from then on. */
export interface Order {
  readonly limits: Limits;
  /** Nothing more is let out to these, as the order was answered at this step; undefined takes it back. */
  forbid(what: Forbidden, step: number | undefined): void;
  /** The window of a batch: as of this step nothing else holds; without a step, either may until it is answered. */
  window(batch: string, window: CallingWindow | null, step: number | undefined): void;
  /** Attempts per number and day: as of this step no more; null, or without a step: any number. */
  perDay(most: number | null, step: number | undefined): void;
}

export type Forbidden =
  | { readonly kind: 'batch'; readonly id: string }
  | { readonly kind: 'paused'; readonly id: string }
  | { readonly kind: 'number'; readonly id: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'account'; readonly id: 'stopped' | 'suspended' };

export interface Judge extends Order {
  readonly violations: readonly string[];
  /** PostgreSQL has given these claims; the statement had reached it at this step. */
  claimed(rows: readonly unknown[], step: number): void;
  /** PostgreSQL has let these through its gate, at this step. */
  gated(rows: readonly unknown[], step: number, atMs: number): void;
  /** An INVITE leaves. */
  invited(leg: CarrierLeg): void;
  /** What must hold of what has just passed the gate. */
  lookAtGate(db: Db): Promise<void>;
  /** What must hold at any moment, read from the database. */
  look(db: Db): Promise<void>;
  /** What must hold when nothing is left to do. */
  lookAtEnd(db: Db): Promise<void>;
  say(violation: string): void;
}

interface Gate {
  readonly step: number;
  readonly atMs: number;
}

interface KnownCall {
  readonly batch: string | null;
  readonly to: string;
  readonly most: number;
}

/** Watches one simulation: it knows the setting, what the carrier was sent, and what was answered to whom. */
export function createJudge(setting: Setting, nowMs: () => number): Judge {
  const violations: string[] = [];
  const legs: CarrierLeg[] = [];
  const gates = new Map<string, Gate>();
  const claims = new Map<string, number>();
  const forbidden = new Map<string, number>();
  const calls = callsOf(setting);
  const limits = createLimits(setting);
  const perDay: { most: number | null; sinceStep: number } = { most: null, sinceStep: 0 };
  let passed: Passed[] = [];
  const windows = new Map<
    string,
    { current: CallingWindow | null; either: (CallingWindow | null)[]; sinceStep: number }
  >();
  for (const [place, { closesAfterMinutes }] of setting.batches.entries()) {
    const current = closesAfterMinutes === null ? null : windowClosingAfter(closesAfterMinutes);
    windows.set(batchId(place), { current, either: [current], sinceStep: 0 });
  }
  const say = (violation: string): void => void violations.push(violation);
  const keyOf = ({ kind, id }: Forbidden): string => `${kind} ${id}`;

  function judgeOrders(leg: CarrierLeg, { to, batch }: KnownCall, gate: Gate): void {
    const orders: Forbidden[] = [
      { kind: 'number', id: to },
      { kind: 'call', id: leg.ref.callId },
      { kind: 'account', id: 'stopped' },
      { kind: 'account', id: 'suspended' },
    ];
    if (batch !== null) orders.push({ kind: 'batch', id: batch }, { kind: 'paused', id: batch });
    for (const order of orders) {
      const since = forbidden.get(keyOf(order));
      if (since !== undefined && since < gate.step) {
        say(`INVITE ${refText(leg.ref)} passed the gate after it was forbidden: ${keyOf(order)}`);
      }
    }
  }

  function judgeWindow(leg: CarrierLeg, call: KnownCall, gate: Gate): void {
    const known = call.batch === null ? undefined : windows.get(call.batch);
    if (known === undefined) return;
    const holding = gate.step > known.sinceStep ? [known.current] : known.either;
    const at = new Date(gate.atMs);
    const open = (window: CallingWindow | null): boolean =>
      window === null || nextOpening(window, [window.timezone], at)?.opensAt.getTime() === at.getTime();
    if (!holding.some(open))
      say(`INVITE ${refText(leg.ref)} left outside of its calling window, at ${at.toISOString()}`);
  }

  function judgeDay(leg: CarrierLeg, gate: Gate): void {
    if (perDay.most === null || gate.step <= perDay.sinceStep) return;
    const taken = legs.filter((other) => other.to === leg.to && (other === leg || !other.free));
    const attempts = new Set(taken.map(({ ref }) => `${ref.callId}/${ref.attempt}`)).size;
    if (attempts > perDay.most)
      say(`INVITE ${refText(leg.ref)} is attempt ${attempts} to ${leg.to} in a day, ${perDay.most} are allowed`);
  }

  function judgeHistory(leg: CarrierLeg, call: KnownCall): void {
    const { callId, attempt, invite } = leg.ref;
    const before = legs.filter((other) => other.ref.callId === callId && other !== leg);
    for (const other of before) {
      const same = other.ref.attempt === attempt;
      const words = `INVITE ${refText(leg.ref)} after ${refText(other.ref)}`;
      if (same && other.ref.invite === invite) say(`INVITE ${refText(leg.ref)} was sent twice`);
      else if (other.endedMs === null) say(`${words}, which is live`);
      else if (same && !other.free) say(`${words}, which the carrier had taken`);
      else if (other.answeredMs !== null) say(`${words}, which was answered`);
      if (other.ref.attempt > attempt || (same && other.ref.invite > invite)) say(`${words}: backwards`);
    }
    if (attempt > call.most) say(`INVITE ${refText(leg.ref)}: the retry plan has ${call.most} attempts`);
  }

  return {
    violations,
    limits,
    say,
    forbid(what, step) {
      if (step === undefined) forbidden.delete(keyOf(what));
      else if (!forbidden.has(keyOf(what))) forbidden.set(keyOf(what), step);
    },
    window(batch, window, step) {
      const known = windows.get(batch);
      if (known === undefined) return;
      if (step === undefined) known.either.push(window);
      else Object.assign(known, { current: window, either: [window], sinceStep: step });
      if (step === undefined) known.sinceStep = Infinity;
    },
    perDay: (most, step) => Object.assign(perDay, { most: step === undefined ? null : most, sinceStep: step ?? 0 }),
    claimed(rows, step) {
      for (const row of attemptsIn(rows)) claims.set(keyOfAttempt(row), step);
    },
    gated(rows, step, atMs) {
      for (const row of attemptsIn(rows)) {
        if (row.refusal !== null) continue;
        gates.set(keyOfAttempt(row), { step, atMs });
        passed.push(row);
      }
    },
    invited(leg) {
      const call = calls.get(leg.ref.callId);
      const gate = gates.get(`${leg.ref.callId}/${leg.ref.attempt}`);
      legs.push(leg);
      if (call === undefined || gate === undefined) {
        say(`INVITE ${refText(leg.ref)} never passed the gate`);
        return;
      }
      if (nowMs() - gate.atMs > frozenMs)
        say(`INVITE ${refText(leg.ref)} left ${nowMs() - gate.atMs} ms after the gate`);
      judgeHistory(leg, call);
      const claimedStep = claims.get(`${leg.ref.callId}/${leg.ref.attempt}`) ?? 0;
      const batchOf = ({ ref }: CarrierLeg) => calls.get(ref.callId)?.batch ?? null;
      brokenLimits(leg, legs, limits, claimedStep, batchOf).forEach(say);
      judgeOrders(leg, call, gate);
      judgeWindow(leg, call, gate);
      judgeDay(leg, gate);
    },
    async lookAtGate(db) {
      if (passed.length === 0) return;
      const asked = passed;
      passed = [];
      (await passedUnderVoidClaims(db, asked)).forEach(say);
    },
    async look(db) {
      (await wrongNow(db)).forEach(say);
    },
    async lookAtEnd(db) {
      (await wrongNow(db)).forEach(say);
      (await wrongAtEnd(db, legs)).forEach(say);
      for (const leg of legs) if (leg.endedMs === null) say(`leg ${refText(leg.ref)} goes on`);
    },
  };
}

interface AttemptRow extends Passed {
  readonly refusal: unknown;
}

const keyOfAttempt = ({ callId, number }: Passed): string => `${callId}/${number}`;

/** Answers of claim and gate, as the product names their columns. */
function attemptsIn(rows: readonly unknown[]): AttemptRow[] {
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null || !('callId' in row) || !('number' in row) || !('claimId' in row)) {
      return [];
    }
    const refusal = 'refusal' in row ? row.refusal : null;
    return [{ callId: String(row.callId), number: Number(row.number), claimId: String(row.claimId), refusal }];
  });
}

function callsOf({ batches, singles }: Setting): Map<string, KnownCall> {
  const calls: KnownCall[] = [];
  for (const [place, { callees, retryDelaysSeconds }] of batches.entries()) {
    const most = retryDelaysSeconds.length + 1;
    for (const callee of callees) calls.push({ batch: batchId(place), to: numberAt(callee), most });
  }
  for (const callee of singles) calls.push({ batch: null, to: numberAt(callee), most: 1 });
  return new Map(calls.map((call, place) => [callIdAt(place), call]));
}
