import type { AnsweredBy, AttemptStatus, RetryOutcome } from './call.js';

/** A batch's retry plan (docs/conformance.md, Batch call (response)); a call without one is dialed once. */
export interface RetryPlan {
  readonly retryOn: readonly RetryOutcome[];
  /** Whole seconds before the second attempt, the third, …: as many retries as there are entries. */
  readonly retryDelaysSeconds: readonly number[];
}

/** An analysis that takes longer has nobody called again, and no batch waits for it. */
export const analysisWithinSeconds = 3_600;

export interface AttemptOutcome {
  readonly status: AttemptStatus;
  /** The number is wrong or its owner wants no call ever again (see `disposition.ts`): stronger than any plan. */
  readonly permanent: boolean;
  /** Of an answered attempt; omitted or null: nobody knows. */
  readonly answeredBy?: AnsweredBy | null;
}

/** What a plan may list of an attempt's end, as far as that is known then; null: a conversation. */
const retryOutcomeOf = ({ status, answeredBy }: AttemptOutcome): RetryOutcome | null => {
  if (status !== 'answered') return status;
  return answeredBy === 'machine' ? 'voicemail' : null;
};

export interface RetryContext {
  /** Attempts that were consumed, the one that just ended included; 1 or more. */
  readonly attemptsMade: number;
}

/**
 * Decides on the next attempt of a call: seconds from now until it is due, or null if the call is settled.
 * Called once for each attempt, in the transaction that commits its end; a cancelled batch drops what it plans.
 */
export function planAfter(ended: AttemptOutcome, plan: RetryPlan | null, context: RetryContext): number | null {
  const outcome = retryOutcomeOf(ended);
  if (plan === null || outcome === null || ended.permanent || !plan.retryOn.includes(outcome)) return null;
  return plan.retryDelaysSeconds[context.attemptsMade - 1] ?? null;
}

/**
 * Whether the next attempt of a call depends on what its analysis finds: a plan lists `unsuccessful`, has a retry left, and no machine
 * is known to have answered. Whoever is answered so is settled, and called again only if the analysis says so in time.
 */
export function dependsOnAnalysis(ended: AttemptOutcome, plan: RetryPlan | null, context: RetryContext): boolean {
  if (plan === null || ended.status !== 'answered' || ended.answeredBy === 'machine') return false;
  return plan.retryOn.includes('unsuccessful') && plan.retryDelaysSeconds[context.attemptsMade - 1] !== undefined;
}
