import { performance } from 'node:perf_hooks';
import type { Db } from '../db/client.js';
import { claimAttempts, nextClaimInMs } from '../db/queries/dialer/claim-attempts.js';
import type { Logger } from '../platform/logger.js';
import type { Health, Watch } from './health.js';
import type { DialerMetrics } from './metrics.js';
import type { Tenure } from './tenure.js';
import type { WakeSignal } from './wake-signal.js';

const mostPerClaim = 200;
/** Claimed and not yet dialed; beyond this, claiming waits. */
const mostWaiting = 1_000;
const slowPollMs = 1_000;
const briefMs = 5;

/** What a dialer does in one round of claiming, and how long it waits before the next, unless it is woken. */
export type ClaimStep =
  /** Its lease has run out: what it claimed now would be void. */
  | { readonly do: 'wait_for_lease'; readonly waitMs: number }
  /** It has as many calls on their way as it may have. */
  | { readonly do: 'wait_for_room'; readonly waitMs: number }
  | { readonly do: 'claim' };

/** @param waiting claimed attempts that are not dialed yet */
export function claimStep(leaseHolds: boolean, waiting: number): ClaimStep {
  if (!leaseHolds) return { do: 'wait_for_lease', waitMs: slowPollMs };
  return waiting >= mostWaiting ? { do: 'wait_for_room', waitMs: briefMs } : { do: 'claim' };
}

/**
 * Milliseconds until the next claim after one that found nothing. Notifications wake it earlier; they may be lost, so it
 * never waits longer than a second.
 *
 * @param nextMs until something is due; null: nothing is queued
 */
export const waitAfterEmptyClaimMs = (nextMs: number | null): number =>
  Math.min(slowPollMs, Math.max(briefMs, nextMs ?? slowPollMs));

/**
 * Claims attempts for the pipeline of the present tenure, one claim after the other; at once again after one that found
 * something.
 *
 * @returns stops claiming: resolves when the claim under way has been handed to its pipeline
 */
export function startClaiming(deps: {
  readonly db: Db;
  readonly tenure: () => Tenure;
  readonly agentRegions: readonly string[];
  readonly wake: WakeSignal;
  readonly watch: Watch;
  readonly health: Health;
  readonly logger: Logger;
  readonly metrics: DialerMetrics;
}): () => Promise<void> {
  const { db, wake } = deps;
  const life = { claiming: true };

  async function round(): Promise<void> {
    const { lease, pipeline } = deps.tenure();
    const step = claimStep(lease.holds(), pipeline.waiting);
    if (step.do !== 'claim') {
      if (step.do === 'wait_for_room') deps.health.succeeded('claim');
      return wake.wait(step.waitMs);
    }
    const startedMs = performance.now();
    const claimed = await deps.watch('claim', () =>
      claimAttempts(db, lease.processId, mostPerClaim, deps.agentRegions),
    );
    if (claimed.length > 0) {
      deps.metrics.claimSeconds.observe((performance.now() - startedMs) / 1000);
      pipeline.accept(claimed);
      return;
    }
    await wake.wait(waitAfterEmptyClaimMs(await nextClaimInMs(db)));
  }

  const claiming = (async () => {
    while (life.claiming) {
      await round().catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'the dialer could not claim calls; trying again');
        return wake.wait(slowPollMs);
      });
    }
  })();
  return async () => {
    life.claiming = false;
    wake.ring();
    await claiming;
  };
}
