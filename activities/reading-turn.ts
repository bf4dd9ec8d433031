import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

const delayPerFileMs = 300;
const longestDelayMs = 10_000;

/**
 * Gives the worker's place back while other files of the same account are read first: an account that sends sixty waits
 * for itself, and for others there is a place. Temporal tries again.
 *
 * @param before files of the account that are read first
 * @throws ApplicationFailure that is no trouble
 */
export function requireTurn(before: number): void {
  if (before < 1) return;
  throw ApplicationFailure.create({
    message: `Other files of this account are read first: ${before}.`,
    type: 'NotYetItsTurn',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.min(longestDelayMs, before * delayPerFileMs),
  });
}
