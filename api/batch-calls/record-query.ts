import { z } from 'zod';
import type { RecordFilter } from '../../db/queries/batches/record-filter.js';
import { type RecordOrder, recordSorts } from '../../domain/batch/record-order.js';
import { type EndReason, isEndReason } from '../../domain/call/end-reasons.js';
import { answeredByValues, recordStatuses } from '../../domain/call/call.js';
import { Failure, type Problem } from '../../domain/errors.js';
import { searchText, secondsRange, someOf, someThat, wholeNumbers } from './filters.js';

const analysisPrefix = 'analysis.';
/** Longer texts of analyses are not looked for (db/migrations/0075-ends-of-records.sql). */
const longestValue = 200;

/** Query parameters that pick records of a batch; with them `analysis.<property>`, whose names the agent's config has. */
export const recordFilterQuery = {
  status: someOf(recordStatuses, 'Only those in these statuses'),
  answeredBy: someOf(answeredByValues, 'Only answered ones, by who picked up'),
  reason: someThat(
    (text): text is EndReason => isEndReason(text),
    'must be one or more of the listed reasons (EndReason), such as callee_hung_up',
    'Only those with one of these reasons, comma-separated',
  ),
  attempts: wholeNumbers(0, 32_767, 'Only those that were dialed so many times; several comma-separated'),
  sipStatusCode: wholeNumbers(100, 699, 'Only those whose latest attempt got this code; several comma-separated'),
  variant: someThat(
    (text): text is string => /^(?:agt|ver)_[\w-]{1,80}$/.test(text),
    'must be one or more of the ids of versions or agents of the variants',
    'Only those that got one of these variants, comma-separated',
  ),
  duration: secondsRange('Seconds that it talked'),
  search: searchText('Part of the number or of any value of the row, in any casing'),
};

/** Says in an operation's description what `recordFilterQuery` cannot. */
export const analysisFilterText =
  '`analysis.<property>=<value>` finds records whose analysis has it, such as `analysis.appointment_kept=true` (texts of ' +
  `up to ${longestValue} characters). Filters that are sent together must all hold.`;

const direct = (by: (typeof recordSorts)[number]): readonly string[] => [by, `-${by}`];

/** `sort=callDuration` or `sort=-callDuration`. */
export const sortQuery = z
  .enum(recordSorts.flatMap(direct), `must be one of ${recordSorts.join(', ')}, or one of them after a minus sign`)
  .default('position')
  .transform((text): RecordOrder => {
    const by = recordSorts.find((each) => text === each || text === `-${each}`) ?? 'position';
    return { by, descending: text.startsWith('-') };
  })
  .describe(
    `One of ${recordSorts.join(', ')}; with a minus sign in front the other way round. position is the order of the file. ` +
      'Those without a value come last, such as those whose call is not over',
  );

type Sent = z.output<z.ZodObject<typeof recordFilterQuery>>;

/**
 * The filter that a query asks for.
 *
 * @throws Failure `invalid` about the query
 */
export function readRecordFilter(accountId: string, batchId: string, query: Sent): RecordFilter {
  const { status, answeredBy, reason, attempts, sipStatusCode, search, variant, duration } = query;
  return {
    ...{ accountId, batchId, statuses: status, answeredBy, reasons: reason, attempts, search },
    sipStatusCodes: sipStatusCode,
    ...{ variants: variant, talk: duration },
    analysis: readAnalysisFilter(query),
  };
}

function readAnalysisFilter(query: object): { readonly field: string; readonly value: string }[] {
  const problems: Problem[] = [];
  const wrong = (path: string, message: string): void => {
    problems.push({ path, code: 'INVALID_VALUE', message });
  };
  const asked = Object.entries(query as Readonly<Record<string, unknown>>).flatMap(([name, value]) => {
    if (!name.startsWith(analysisPrefix)) return [];
    const field = name.slice(analysisPrefix.length);
    if (field === '') wrong(name, 'names no property: send it as analysis.<property>=<value>');
    else if (typeof value !== 'string') wrong(name, 'is sent more than once: send it with one value');
    else if (value.length > longestValue) wrong(name, `must be ${longestValue} characters or fewer`);
    else if (`${name}${value}`.includes('\0')) wrong(name, 'must not contain a NUL character');
    else return [{ field, value }];
    return [];
  });
  if (problems.length > 0) throw new Failure('invalid', 'The query is not valid', problems, undefined, 'query');
  return asked;
}
