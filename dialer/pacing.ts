import { performance } from 'node:perf_hooks';
import type { ClaimKey } from '../db/queries/dialer/attempt-key.js';
import type { PacedAttempt } from '../db/queries/dialer/pace-attempts.js';
import { keyOf, type PendingDial } from './pending-dial.js';
import type { Latency } from './latency.js';

export interface Pacing {
  /** Asks for a slot for these, with whatever else of their gateways waits for one. */
  add(dials: readonly PendingDial[]): void;
  close(): void;
}

/** Who found no slot has others with slots a quarter of a second ahead before it: so long nothing is lost by not asking. */
const leastMs = 100;
/** A gateway's pace may be changed while others wait for its next slot: seen no later than this. */
const mostMs = 1_000;

/**
 * Gets prepared dials their slots. Asks once at a time for each gateway; what gathers meanwhile is asked for next, and
 * what found no slot asks again when one may be free. Slots lie as far ahead as the answer takes to come back, or each would
 * be missed before it is known. What this machine takes for the instant of a slot is never before it.
 *
 * @param slotted told of dials that have their slot, `dialAtMs` and `patienceMs` set
 * @param lost told of dials that are not this process's any more
 * @param refused told of dials for which no slot could be asked
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
      const gatewayId = pendingDial.attempt.gateway_id;
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
    const { roundTripMs, patienceMs } = deps.latency;
    const askedMs = performance.now();
    try {
      const keys = dials.map(({ attempt }) => keyOf(attempt));
      const answers = await deps.ask(gatewayId, keys, roundTripMs, patienceMs);
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
   * @param answeredMs what the answers' milliseconds are counted from: the database counted from somewhat earlier
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
      const answer = byClaim.get(pendingDial.attempt.claim_id);
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
    return againInMs === Infinity ? 0 : Math.min(mostMs, Math.max(leastMs, againInMs));
  }

  return {
    add(dials) {
      queue(dials);
      for (const gatewayId of new Set(dials.map(({ attempt }) => attempt.gateway_id))) void ask(gatewayId);
    },
    close() {
      life.closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
