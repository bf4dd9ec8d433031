import type { AttemptStatus, UnsuccessfulStatus } from './call.js';

/** A batch's retry plan (docs/conformance.md, Batch call (response)); a call without one is dialed once. */
export interface RetryPlan {
  readonly retryOn: readonly UnsuccessfulStatus[];
  /** Whole seconds before the second attempt, the third, …: as many retries as there are entries. */
  readonly retryDelaysSeconds: readonly number[];
}

export interface AttemptOutcome {
  readonly status: AttemptStatus;
  /** The number is wrong or its owner wants no call ever again (see `disposition.ts`): stronger than any plan. */
  readonly permanent: boolean;
}

export interface RetryContext {
  /** Attempts that were consumed, the one that just ended included; 1 or more. */
  readonly attemptsMade: number;
}

/**
 * Decides on the next attempt of a call: seconds from now until it is due, or null if the call is settled.
 * Called once for each attempt, in the transaction that commits its end; a cancelled batch drops what it plans.
 */
export function planAfter(ended: AttemptOutcome, plan: RetryPlan | null, context: RetryContext): number | null {
  if (plan === null || ended.status === 'answered' || ended.permanent) return null;
  if (!plan.retryOn.includes(ended.status)) return null;
  return plan.retryDelaysSeconds[context.attemptsMade - 1] ?? null;
}
