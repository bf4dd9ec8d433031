import type { BatchEvidence, RecordAnswer, RetryPlan, Violation } from './evidence.js';
import { inForce, mayHaveLeftBefore } from './evidence.js';
import type { Interval } from '../journal.js';
import { unusedOrders } from './call-orders.js';
import { type CallLegs, carrierTookItNot, type Leg, outcomeOf } from './legs.js';

/** Clocks and rounding between the carrier's end of a call and the retry planned from it. */
const delayToleranceMs = 1_500;
/** How long after the end of a call its outcome is committed, faults included. */
const latestCommitMs = 60_000;
/** INVITEs of one attempt that a carrier may refuse before it is given up. */
const refusalsThatEnd = 3;

const violation = (rule: string, leg: Leg, what: string): Violation => ({
  ...{ rule, what, atMs: leg.atMs, about: [leg.callId, leg.to] },
});

const nameOf = ({ callId, to, attempt, invite }: Leg): string =>
  `${callId} (${to}) attempt ${attempt} invite ${invite}`;

const lastOf = <T>(list: readonly T[]): T | undefined => list[list.length - 1];

/** Attempts of a call, each with its INVITEs. */
export function attemptsOf(call: CallLegs): Leg[][] {
  const byNumber = new Map<number, Leg[]>();
  for (const leg of call.legs) byNumber.set(leg.attempt, [...(byNumber.get(leg.attempt) ?? []), leg]);
  return [...byNumber].sort(([a], [b]) => a - b).map(([, legs]) => legs);
}

/** No attempt twice: it has one INVITE, and another one only if the carrier had refused the one before. */
export function dialedTwice(call: CallLegs): Violation[] {
  const found: Violation[] = [];
  for (const legs of attemptsOf(call)) {
    for (const [place, leg] of legs.entries()) {
      const before = legs[place - 1];
      if (before !== undefined && !carrierTookItNot(before)) {
        const how = before.end === undefined ? 'had not ended' : `had ended ${before.end.how} ${before.end.code}`;
        found.push(violation('twice', leg, `${nameOf(leg)} was sent although invite ${before.invite} ${how}`));
      }
    }
  }
  const alive = [...call.legs].sort((a, b) => a.atMs - b.atMs);
  for (const [place, leg] of alive.entries()) {
    const before = alive[place - 1];
    if (before !== undefined && before.attempt !== leg.attempt && (before.end?.atMs ?? Infinity) > leg.atMs) {
      found.push(violation('twice', leg, `${nameOf(leg)} was sent while ${nameOf(before)} was live`));
    }
  }
  return found;
}

interface EndedAttempt {
  readonly attempt: number;
  readonly outcome: string;
  readonly last: Leg;
  readonly endedAtMs: number;
  readonly refusals: number;
  readonly rang: ReadonlySet<string>;
}

function endOf(legs: readonly Leg[], rang: ReadonlySet<string>): EndedAttempt | undefined {
  const last = lastOf(legs);
  if (last?.end === undefined) return undefined;
  const outcome = outcomeOf(last, rang.has(legKeyOf(last)));
  return { attempt: last.attempt, outcome, last, endedAtMs: last.end.atMs, refusals: legs.length, rang };
}

export const legKeyOf = ({ callId, attempt, invite }: Leg): string => `${callId}/${attempt}/${invite}`;

const planned = (plan: RetryPlan | null, { attempt, outcome }: EndedAttempt): number | undefined =>
  plan?.retryOn.includes(outcome) === true ? plan.retryDelays[attempt - 1] : undefined;

/**
 * No call beyond the plan: each further attempt follows an end that a plan in force then retries, after its delay, or an order of
 * its own, and the plan says nothing of what follows such a one.
 */
export function beyondPlan(
  call: CallLegs,
  batch: BatchEvidence,
  { rang, roadHeld }: { readonly rang: ReadonlySet<string>; readonly roadHeld: readonly Interval[] },
): Violation[] {
  const attempts = attemptsOf(call);
  const orders = unusedOrders(batch.orders, call.to, roadHeld);
  let isOrdered = false;
  return attempts.flatMap((legs, place) => {
    const [first] = legs;
    if (first === undefined) return [];
    if (first.attempt !== place + 1) {
      return [violation('plan', first, `${nameOf(first)} was sent, attempt ${place + 1} never was`)];
    }
    const before = endOf(attempts[place - 1] ?? [], rang);
    if (before === undefined) return []; // the first one, or told as sent while the one before was live
    const plans = isOrdered ? [] : inForce(batch.retry, before.endedAtMs, first.atMs);
    const allowed = plans.map((plan) => planned(plan, before)).filter((delay) => delay !== undefined);
    const earliestMs = before.endedAtMs + Math.min(...allowed) * 1000 - delayToleranceMs;
    if (first.atMs >= earliestMs) return [];
    isOrdered = orders.take(first);
    if (isOrdered) return [];
    if (allowed.length === 0) {
      return [
        violation('plan', first, `${nameOf(first)} was sent; no plan or order calls after ${before.outcome} then`),
      ];
    }
    const early = ((earliestMs + delayToleranceMs - first.atMs) / 1000).toFixed(1);
    return [violation('plan', first, `${nameOf(first)} was sent ${early} s before its retry delay was over`)];
  });
}

interface MissingParts {
  readonly batch: BatchEvidence;
  readonly optedOut: boolean;
  /** Of the account. */
  readonly hangUps: readonly Interval[];
  readonly rang: ReadonlySet<string>;
  readonly roadHeld: readonly Interval[];
}

/** Whether it was live, as far as the service could know, when everything live was hung up: then it is not retried. */
const wasHungUp = ({ last, endedAtMs }: EndedAttempt, { hangUps, roadHeld }: MissingParts): boolean =>
  hangUps.some(
    ({ fromMs, untilMs }) =>
      // It counts as live from the gate on, while its INVITE is on the road.
      fromMs <= endedAtMs + latestCommitMs && mayHaveLeftBefore(untilMs, last.atMs, roadHeld),
  );

/** Whether a call of a batch that ended by itself may have ended like this. Returns what is missing, or null. */
export function whatIsMissing(call: CallLegs | undefined, record: RecordAnswer, parts: MissingParts): string | null {
  const { batch, optedOut, rang } = parts;
  const excused = optedOut && record.reason === 'do_not_call';
  const attempts = call === undefined ? [] : attemptsOf(call);
  const latest = lastOf(attempts);
  if (latest === undefined) return excused ? null : 'was never dialed';
  const end = endOf(latest, rang);
  if (end === undefined) return `was left in attempt ${attempts.length}, which has no end`;
  if (excused || end.last.end?.how === 'cancelled' || wasHungUp(end, parts)) return null;
  if (carrierTookItNot(end.last) && end.refusals < refusalsThatEnd) {
    return `was refused by the carrier in attempt ${end.attempt} and not sent again`;
  }
  const plans = inForce(batch.retry, end.endedAtMs, end.endedAtMs + latestCommitMs);
  // No plan follows an attempt that an order asked for, and which those are is not always plain.
  const mayBeOrdered = batch.orders.some(
    ({ number, askedAtMs }) => number === end.last.to && askedAtMs <= end.last.atMs,
  );
  if (!mayBeOrdered && plans.every((plan) => planned(plan, end) !== undefined)) {
    return `ended ${end.outcome} in attempt ${end.attempt} and was not retried as the plan says`;
  }
  return null;
}

/** Whether the last INVITE of a call was refused before any telephone could ring, and may be followed by another. */
export function waitsForAnotherInvite(call: CallLegs): boolean {
  const legs = lastOf(attemptsOf(call)) ?? [];
  const last = lastOf(legs);
  return last !== undefined && carrierTookItNot(last) && legs.length < refusalsThatEnd;
}

/** What the API must say of a call that was dialed, or null if the ledger does not tell. */
export function expectedRecord(call: CallLegs, rang: ReadonlySet<string>): { status: string; attempts: number } | null {
  const attempts = attemptsOf(call);
  const end = endOf(lastOf(attempts) ?? [], rang);
  if (end === undefined) return null;
  return { status: end.outcome === 'voicemail' ? 'answered' : end.outcome, attempts: attempts.length };
}
