import { performance } from 'node:perf_hooks';
import type { ClaimKey } from '../db/queries/dialer/claim-key.js';
import type { PacedAttempt } from '../db/queries/dialer/pace-attempts.js';
import type { PendingDial } from './pending-dial.js';
import type { Latency } from './latency.js';

export interface Pacing {
  /** Asks for slots for these, together with others of their gateways that wait for one. */
  add(dials: readonly PendingDial[]): void;
  close(): void;
}

/** A dial without a slot has others with slots a quarter of a second ahead before it: asking sooner gains nothing. */
const leastMs = 100;
/** While a gateway's slots are given this far ahead, dials for it gather for half of that time: they get the same slots. */
const gatherMostMs = 100;
/** A gateway's rate may be raised while dials wait for its next slot: this is the latest at which they find out. */
const mostMs = 1_000;

/**
 * Milliseconds from an answer to the next question for the same gateway.
 *
 * @param againInMs when a dial that got no slot may get one; Infinity: each got one
 * @param lastSlotInMs when the last slot is that was given
 * @param roundTripMs how long it takes to ask
 */
export function nextQuestionInMs(againInMs: number, lastSlotInMs: number, roundTripMs: number): number {
  if (againInMs < Infinity) return Math.min(mostMs, Math.max(leastMs, againInMs));
  return Math.min(gatherMostMs, Math.max(0, (lastSlotInMs - roundTripMs) / 2));
}

/**
 * Gets slots for prepared dials. One question at a time for each gateway; dials that gather meanwhile are in the next one, and
 * a dial that got no slot asks again when one may be free. Slots lie so far ahead that none is missed before it is known. This
 * machine never takes a slot to be earlier than it is.
 *
 * @param slotted called with dials that have their slot, `dialAtMs` and `patienceMs` set
 * @param lost called with dials that this process no longer owns
 * @param refused called with dials for which no slot could be requested
 */
export function createPacing(deps: {
  readonly ask: (
    gatewayId: string,
    keys: readonly ClaimKey[],
    leadMs: number,
    patienceMs: number,
  ) => Promise<PacedAttempt[]>;
  readonly latency: Latency;
  readonly slotted: (dials: readonly PendingDial[]) => void;
  readonly lost: (dials: readonly PendingDial[]) => void;
  readonly refused: (dials: readonly PendingDial[], error: unknown) => void;
}): Pacing {
  const waiting = new Map<string, PendingDial[]>();
  const asking = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const life = { closed: false };

  function queue(dials: readonly PendingDial[]): void {
    for (const pendingDial of dials) {
      const gatewayId = pendingDial.attempt.gatewayId;
      const others = waiting.get(gatewayId);
      if (others === undefined) waiting.set(gatewayId, [pendingDial]);
      else others.push(pendingDial);
    }
  }

  async function ask(gatewayId: string): Promise<void> {
    if (asking.has(gatewayId) || life.closed) return;
    const dials = waiting.get(gatewayId) ?? [];
    waiting.delete(gatewayId);
    if (dials.length === 0) return;
    asking.add(gatewayId);
    let againInMs = 0;
    const { leadMs, patienceMs } = deps.latency;
    const askedMs = performance.now();
    try {
      const keys = dials.map(({ attempt }) => attempt);
      const answers = await deps.ask(gatewayId, keys, leadMs, patienceMs);
      const answeredMs = performance.now();
      deps.latency.answered(answeredMs - askedMs);
      againInMs = take(dials, answers, answeredMs, patienceMs);
    } catch (error) {
      deps.refused(dials, error);
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      asking.delete(gatewayId);
      void ask(gatewayId);
    }, againInMs);
    timers.add(timer);
  }

  /**
   * @param answeredMs the answers' milliseconds are counted from here; the database counted from a little earlier
   * @returns milliseconds after which to ask for this gateway again
   */
  function take(
    dials: readonly PendingDial[],
    answers: readonly PacedAttempt[],
    answeredMs: number,
    patienceMs: number,
  ): number {
    const byClaim = new Map(answers.map((answer) => [answer.claimId, answer]));
    const slotted: PendingDial[] = [];
    const lost: PendingDial[] = [];
    let againInMs = Infinity;
    for (const pendingDial of dials) {
      const answer = byClaim.get(pendingDial.attempt.claimId);
      const dialInMs = answer?.dialInMs ?? null;
      const askAgainInMs = answer?.askAgainInMs ?? null;
      if (dialInMs !== null) {
        pendingDial.dialAtMs = answeredMs + dialInMs;
        pendingDial.patienceMs = patienceMs;
        slotted.push(pendingDial);
      } else if (askAgainInMs !== null) {
        queue([pendingDial]);
        againInMs = Math.min(againInMs, askAgainInMs);
      } else lost.push(pendingDial);
    }
    deps.lost(lost);
    deps.slotted(slotted);
    const lastSlotInMs = Math.max(0, ...slotted.map(({ dialAtMs }) => dialAtMs - answeredMs));
    return nextQuestionInMs(againInMs, lastSlotInMs, deps.latency.roundTripMs);
  }

  return {
    add(dials) {
      queue(dials);
      for (const gatewayId of new Set(dials.map(({ attempt }) => attempt.gatewayId))) void ask(gatewayId);
    },
    close() {
      life.closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
