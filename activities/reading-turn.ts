import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Files, or documents, of one account that are read at the same time by all workers together. */
const perAccount = 1;

const delayPerFileMs = 300;
const longestDelayMs = 10_000;

/**
 * Gives the worker's place back while older files of the same account are being read: an account that sends sixty waits
 * for itself, and for others there is a place. Temporal tries again.
 *
 * @param before older files of the account that are not read yet
 * @throws ApplicationFailure that is no trouble
 */
export function requireTurn(before: number): void {
  if (before < perAccount) return;
  throw ApplicationFailure.create({
    message: `${before} older files of this account are read first.`,
    type: 'NotYetItsTurn',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.min(longestDelayMs, before * delayPerFileMs),
  });
}
