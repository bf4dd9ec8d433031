import { performance } from 'node:perf_hooks';
import type { ClaimKey } from '../db/queries/dialer/attempt-key.js';
import type { PacedAttempt } from '../db/queries/dialer/pace-attempts.js';
import { keyOf, type Departure } from './departure.js';
import type { Latency } from './latency.js';

export interface Pacing {
  /** Asks for a slot for these, with whatever else of their gateways waits for one. */
  add(departures: readonly Departure[]): void;
  close(): void;
}

/** Who found no slot has others with slots a quarter of a second ahead before it: so long nothing is lost by not asking. */
const leastMs = 100;
/** A gateway's pace may be changed while others wait for its next slot: seen no later than this. */
const mostMs = 1_000;

/**
 * Gets prepared departures their slots. Asks once at a time for each gateway; what gathers meanwhile is asked for next, and
 * what found no slot asks again when one may be free. Slots lie as far ahead as the answer takes to come back, or each would
 * be missed before it is known. What this machine takes for the instant of a slot is never before it.
 *
 * @param slotted told of departures that have their slot, `dialAtMs` and `patienceMs` set
 * @param lost told of departures that are not this process's any more
 * @param refused told of departures for which no slot could be asked
 */
export function createPacing(deps: {
  readonly ask: (
    gatewayId: string,
    keys: readonly ClaimKey[],
    leadMs: number,
    patienceMs: number,
  ) => Promise<PacedAttempt[]>;
  readonly latency: Latency;
  readonly slotted: (departures: readonly Departure[]) => void;
  readonly lost: (departures: readonly Departure[]) => void;
  readonly refused: (departures: readonly Departure[], error: unknown) => void;
}): Pacing {
  const waiting = new Map<string, Departure[]>();
  const asking = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const life = { closed: false };

  function queue(departures: readonly Departure[]): void {
    for (const departure of departures) {
      const gatewayId = departure.attempt.gateway_id;
      const others = waiting.get(gatewayId);
      if (others === undefined) waiting.set(gatewayId, [departure]);
      else others.push(departure);
    }
  }

  async function ask(gatewayId: string): Promise<void> {
    if (asking.has(gatewayId) || life.closed) return;
    const departures = waiting.get(gatewayId) ?? [];
    waiting.delete(gatewayId);
    if (departures.length === 0) return;
    asking.add(gatewayId);
    let againInMs = 0;
    const { roundTripMs, patienceMs } = deps.latency;
    const askedMs = performance.now();
    try {
      const keys = departures.map(({ attempt }) => keyOf(attempt));
      const answers = await deps.ask(gatewayId, keys, roundTripMs, patienceMs);
      const answeredMs = performance.now();
      deps.latency.answered(answeredMs - askedMs);
      againInMs = take(departures, answers, answeredMs, patienceMs);
    } catch (error) {
      deps.refused(departures, error);
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
    departures: readonly Departure[],
    answers: readonly PacedAttempt[],
    answeredMs: number,
    patienceMs: number,
  ): number {
    const byClaim = new Map(answers.map((answer) => [answer.claimId, answer]));
    const slotted: Departure[] = [];
    const lost: Departure[] = [];
    let againInMs = Infinity;
    for (const departure of departures) {
      const answer = byClaim.get(departure.attempt.claim_id);
      const dialInMs = answer?.dialInMs ?? null;
      const askAgainInMs = answer?.askAgainInMs ?? null;
      if (dialInMs !== null) {
        departure.dialAtMs = answeredMs + dialInMs;
        departure.patienceMs = patienceMs;
        slotted.push(departure);
      } else if (askAgainInMs !== null) {
        queue([departure]);
        againInMs = Math.min(againInMs, askAgainInMs);
      } else lost.push(departure);
    }
    deps.lost(lost);
    deps.slotted(slotted);
    return againInMs === Infinity ? 0 : Math.min(mostMs, Math.max(leastMs, againInMs));
  }

  return {
    add(departures) {
      queue(departures);
      for (const gatewayId of new Set(departures.map(({ attempt }) => attempt.gateway_id))) void ask(gatewayId);
    },
    close() {
      life.closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
