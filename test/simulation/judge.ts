import type { Db } from '../../db/client.js';
import { refText, type CarrierLeg } from './carrier.js';
import { brokenHours, createAllowedHours, type AllowedHours } from './judge-hours.js';
import { brokenHistory, brokenSlot, brokenUntil, type Slot } from './judge-legs.js';
import { createNumbers, type Numbers } from './judge-numbers.js';
import { createShares } from './judge-shares.js';
import { brokenLimits, createLimits, type Limits } from './limits.js';
import { keysIn, slotsIn, type AnsweredKey } from './answers.js';
import { notShownAsLive, passedUnderVoidClaims, wrongAtEnd, wrongNow } from './records.js';
import { createPreDialJudge, type PreDialJudge } from './judge-pre-dial.js';
import { createRecipients, type Recipients } from './judge-recipients.js';
import { gatewayId, type PlannedCall, type Setting } from './setting.js';

/** Longer than this after the gate, a process that stood still must not send (dialer/gating.ts). */
const frozenMs = 2_000;

/** The answer to an order, and what it forbids from then on. */
export interface Order {
  readonly limits: Limits;
  readonly hours: AllowedHours;
  readonly recipients: Recipients;
  readonly numbers: Numbers;
  /**
   * Nothing more is let out to these, as the order was answered at this step; undefined takes it back.
   *
   * @returns since which step it was forbidden before
   */
  forbid(what: Forbidden, step: number | undefined): number | undefined;
}

export type Forbidden =
  | { readonly kind: 'batch'; readonly id: string }
  | { readonly kind: 'paused'; readonly id: string }
  | { readonly kind: 'number'; readonly id: string }
  | { readonly kind: 'call'; readonly id: string }
  | { readonly kind: 'account'; readonly id: 'stopped' | 'suspended' };

export interface Judge extends Order {
  /** Told by the endpoint that is asked before calls. */
  readonly preDial: PreDialJudge;
  readonly violations: readonly string[];
  /** PostgreSQL has given these claims; the statement had reached it at this step. */
  claimed(rows: readonly unknown[], step: number): void;
  /** PostgreSQL has given these slots; the dialer has said how late after them it may send. */
  paced(rows: readonly unknown[], atMs: number, patienceMs: number): void;
  /** PostgreSQL has let these through its gate, at this step. */
  gated(rows: readonly unknown[], step: number, atMs: number): void;
  /** An INVITE leaves. */
  invited(leg: CarrierLeg): void;
  /** What must hold of what has just been claimed. */
  lookAtClaims(db: Db): Promise<void>;
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

/** Watches one simulation: it knows the setting, what the carrier was sent, and what was answered to whom. */
export function createJudge(setting: Setting, nowMs: () => number): Judge {
  const violations: string[] = [];
  const legs: CarrierLeg[] = [];
  const gates = new Map<string, Gate>();
  const slots = new Map<string, Slot>();
  const claims = new Map<string, number>();
  const forbidden = new Map<string, number>();
  const recipients = createRecipients(setting);
  const preDial = createPreDialJudge(setting, nowMs);
  const limits = createLimits(setting);
  const hours = createAllowedHours(setting);
  const numbers = createNumbers(setting, nowMs);
  const shares = createShares(setting, (gateway) =>
    numbers.all.some((number) => number.gatewayId === gatewayId(gateway) && numbers.isLimited(number.e164)),
  );
  let passed: AnsweredKey[] = [];
  const say = (violation: string): void => void violations.push(violation);
  const nameOf = ({ kind, id }: Forbidden): string => `${kind} ${id}`;

  function judgeOrders(leg: CarrierLeg, { to, batch }: PlannedCall, gate: Gate): void {
    const orders: Forbidden[] = [
      { kind: 'number', id: to },
      { kind: 'call', id: leg.ref.callId },
      { kind: 'account', id: 'stopped' },
      { kind: 'account', id: 'suspended' },
    ];
    if (batch !== null) orders.push({ kind: 'batch', id: batch }, { kind: 'paused', id: batch });
    for (const order of orders) {
      const since = forbidden.get(nameOf(order));
      if (since !== undefined && since < gate.step) {
        say(`INVITE ${refText(leg.ref)} passed the gate after it was forbidden: ${nameOf(order)}`);
      }
    }
  }

  return {
    violations,
    limits,
    hours,
    recipients,
    preDial,
    numbers,
    say,
    forbid(what, step) {
      const before = forbidden.get(nameOf(what));
      if (step === undefined) forbidden.delete(nameOf(what));
      else if (before === undefined) forbidden.set(nameOf(what), step);
      return before;
    },
    claimed(rows, step) {
      for (const row of keysIn(rows)) claims.set(keyText(row), step);
      shares.claimed(rows);
    },
    paced(rows, atMs, patienceMs) {
      for (const { key, dialInMs } of slotsIn(rows)) slots.set(keyText(key), { atMs: atMs + dialInMs, patienceMs });
    },
    gated(rows, step, atMs) {
      for (const row of keysIn(rows)) {
        if (row.refusal !== null) continue;
        gates.set(keyText(row), { step, atMs });
        passed.push(row);
      }
    },
    invited(leg) {
      const call = recipients.get(leg.ref.callId);
      const key = keyText({ callId: leg.ref.callId, attempt: leg.ref.attempt });
      const gate = gates.get(key);
      legs.push(leg);
      if (call === undefined || gate === undefined) {
        say(`INVITE ${refText(leg.ref)} never passed the gate`);
        return;
      }
      if (nowMs() - gate.atMs > frozenMs)
        say(`INVITE ${refText(leg.ref)} left ${nowMs() - gate.atMs} ms after the gate`);
      const batchOf = ({ ref }: CarrierLeg) => recipients.get(ref.callId)?.batch ?? null;
      brokenHistory(leg, legs, call, recipients.again(call.callId)?.askedMs).forEach(say);
      brokenSlot(leg, slots.get(key)).forEach(say);
      brokenLimits(leg, legs, limits, claims.get(key) ?? 0, batchOf).forEach(say);
      judgeOrders(leg, call, gate);
      brokenHours(leg, legs, call, hours, gate.step).forEach(say);
      numbers.broken(leg, legs, call, gate.step).forEach(say);
      brokenUntil(leg, call, setting).forEach(say);
      recipients.broken(leg, legs, gate.step).forEach(say);
      preDial.broken(leg, call, gate.atMs).forEach(say);
    },
    async lookAtClaims(db) {
      (await shares.look(db)).forEach(say);
    },
    async lookAtGate(db) {
      if (passed.length === 0) return;
      const asked = passed;
      passed = [];
      (await passedUnderVoidClaims(db, asked)).forEach(say);
    },
    async look(db) {
      (await wrongNow(db)).forEach(say);
      (await recipients.wrongNow(db)).forEach(say);
      (await preDial.wrongNow(db)).forEach(say);
      (await notShownAsLive(db, legs)).forEach(say);
    },
    async lookAtEnd(db) {
      (await wrongNow(db)).forEach(say);
      (await wrongAtEnd(db, legs, (callId) => recipients.again(callId) !== undefined)).forEach(say);
      (await recipients.wrongAtEnd(db)).forEach(say);
      for (const leg of legs) if (leg.endedMs === null) say(`leg ${refText(leg.ref)} goes on`);
    },
  };
}

const keyText = ({ callId, attempt }: Pick<AnsweredKey, 'callId' | 'attempt'>): string => `${callId}/${attempt}`;
