import type { Db } from '../../db/client.js';
import { findsSuccess } from '../../db/queries/agents/texts.js';
import type { RetryOutcome } from '../../domain/call/call.js';
import { invalid, type Problem } from '../../domain/errors.js';

/** What is wrong with a retry plan that lists `unsuccessful`, if the agent of the rule never finds out who was a success. */
export async function successProblems(
  db: Db,
  accountId: string,
  ruleId: string,
  retry: { readonly retryOn: readonly RetryOutcome[] } | null | undefined,
): Promise<Problem[]> {
  if (retry?.retryOn.includes('unsuccessful') !== true || (await findsSuccess(db, accountId, ruleId))) return [];
  const message =
    'must not have unsuccessful: the agent of the routing rule does not say what success is. ' +
    'Enable analysis in its config with success, and deploy it.';
  return [{ path: 'retry.retryOn', code: 'INVALID_VALUE', message }];
}

/** @throws Failure `invalid` with what {@link successProblems} finds */
export async function requireKnownSuccess(...asked: Parameters<typeof successProblems>): Promise<void> {
  const problems = await successProblems(...asked);
  if (problems.length > 0) throw invalid('The form is not valid', problems);
}
