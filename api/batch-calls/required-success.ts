import type { Db } from '../../db/client.js';
import { findsSuccess, type Talking } from '../../db/queries/agents/texts.js';
import type { BatchForm } from '../../domain/batch/form.js';
import { invalid, type Problem } from '../../domain/errors.js';

const unknown =
  'the agent of the routing rule, or a variant, does not say what success is. Enable analysis in its config with success, and deploy it.';

/** What is wrong with settings that need to know who was a success, if the agent of the rule never finds that out. */
export async function successProblems(
  db: Db,
  accountId: string,
  who: Talking,
  { retry, stopAfter }: Partial<Pick<BatchForm, 'retry' | 'stopAfter'>>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (retry?.retryOn.includes('unsuccessful') === true) {
    problems.push({ path: 'retry.retryOn', code: 'INVALID_VALUE', message: `must not have unsuccessful: ${unknown}` });
  }
  if (stopAfter && 'success' in stopAfter) {
    problems.push({ path: 'stopAfter.success', code: 'INVALID_VALUE', message: `cannot be counted: ${unknown}` });
  }
  return problems.length === 0 || (await findsSuccess(db, accountId, who)) ? [] : problems;
}

/** @throws Failure `invalid` with what {@link successProblems} finds */
export async function requireKnownSuccess(...asked: Parameters<typeof successProblems>): Promise<void> {
  const problems = await successProblems(...asked);
  if (problems.length > 0) throw invalid('The form is not valid', problems);
}
