import { z } from 'zod';
import { type RetryOutcome, retryOutcomes } from '../call/call.js';
import { expected } from '../input/field-problems.js';

const mostRetries = 5;
/** A week. */
const longestRetryDelaySeconds = 604_800;

const delayWords = `must be a whole number of seconds from 1 to ${longestRetryDelaySeconds}`;

const Outcome = z.custom<RetryOutcome>((value) => retryOutcomes.some((outcome) => outcome === value), {
  error: (issue) => `invalid retryOn value ${JSON.stringify(issue.input)}: must be one of ${retryOutcomes.join(', ')}`,
});

/** Retries as a client asks for them (docs/conformance.md, POST /v1/batch-calls). */
export const RetryInput = z
  .strictObject(
    {
      retryOn: z
        .array(Outcome, expected(`must be an array of ${retryOutcomes.join(', ')}`))
        .min(1, 'must name at least one status')
        .refine((statuses) => new Set(statuses).size === statuses.length, { error: 'must not name a status twice' })
        .describe(
          'Outcomes after which a number is called again; voicemail: a machine answered; unsuccessful: the analysis of the call, within an hour, says no success',
        ),
      retryDelays: z
        .array(
          z
            .number(delayWords)
            .refine((delay) => Number.isInteger(delay) && delay >= 1 && delay <= longestRetryDelaySeconds, {
              error: delayWords,
            }),
          expected('must be an array of seconds, one for each retry'),
        )
        .min(1, 'must have at least one delay')
        .max(mostRetries, `must have at most ${mostRetries} delays`)
        .describe('Seconds before each retry, counted from the end of the call before it'),
    },
    'must be an object such as {"retryOn":["missed"],"retryDelays":[300]}',
  )
  .meta({ id: 'NewBatchRetry' });
