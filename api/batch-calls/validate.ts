import { z } from 'zod';
import { reviewContacts, type ContactsReview } from '../../contacts/review-contacts.js';
import { agentTextsOfRule } from '../../db/queries/agent-texts.js';
import { type GatewayPace, paceOf } from '../../db/queries/batch-pace.js';
import { numbersNotToCall } from '../../db/queries/batch-parse.js';
import { unfilledByFile } from '../../domain/agent-config/placeholders.js';
import { estimatedSeconds } from '../../domain/batch-estimate.js';
import type { BatchForm } from '../../domain/batch-form.js';
import { recipientZone } from '../../domain/calling-window.js';
import { operation } from '../operation.js';
import { CreateBatchCallForm } from './create-form.js';
import { requireForm } from './create.js';
import { readFormParts } from './form-parts.js';
import { RejectedRow } from './rejected-rows.js';
import { lockBatchRoute } from './route.js';
import { UnfilledPlaceholders } from './unfilled-placeholders.js';

const Report = z
  .strictObject({
    valid: z.boolean().describe('Whether create would make calls of this file; some rows may be rejected all the same'),
    parseError: z
      .string()
      .nullable()
      .describe('Why the file cannot be used, as the batch call would say; null where it can'),
    hint: z.string().optional().describe('Advice on the file as a whole, where there is any'),
    rows: z.int().describe('Rows of the file that are not blank, the header not counted'),
    recordsUploaded: z.int().describe('Numbers that would be called'),
    recordsRejected: z.int().describe('Rows that would not be called'),
    recordsCorrected: z.int().describe('Rows whose number would be dialed otherwise than it is written'),
    columns: z.array(z.string()).describe("Names of the columns in the file's order, phone_number included"),
    rejected: z.array(RejectedRow).describe('The first 100 rows that would not be called'),
    unfilledPlaceholders: UnfilledPlaceholders,
    estimate: z
      .strictObject({
        seconds: z.int().describe('From the start to the end of the last call, each number called once'),
        basis: z.string().describe('What that was worked out from'),
      })
      .describe('How long the calls would take'),
  })
  .meta({
    id: 'BatchCallReport',
    examples: [
      {
        valid: true,
        parseError: null,
        rows: 252,
        recordsUploaded: 250,
        recordsRejected: 2,
        recordsCorrected: 5,
        columns: ['phone_number', 'name', 'appointment'],
        rejected: [{ row: 17, value: '', reason: 'missing_number', message: 'There is no number in this row.' }],
        unfilledPlaceholders: [{ path: 'languages.english.prompt', placeholder: 'doctor' }],
        estimate: {
          seconds: 309,
          basis:
            '250 calls, at most 1 per second and 50 at a time, of 60 s each as is assumed where too few have been made; ' +
            'without retries and without hours outside of the calling window.',
        },
      },
    ],
  });

/** Where too few calls have been made to know better. */
const assumedCallSeconds = 60;
/** From the dialing to an answer, on average. */
const ringingSeconds = 15;
const attemptsToKnow = 50;

function estimateOf(calls: number, pace: GatewayPace, most: number | null) {
  const known = pace.attempts >= attemptsToKnow;
  const callSeconds = known ? Math.round(ringingSeconds + pace.talkSeconds / pace.attempts) : assumedCallSeconds;
  const concurrency = Math.min(pace.maxConcurrentCalls, most ?? Infinity);
  const { callsPerSecond } = pace;
  const because = known
    ? `as the last ${pace.attempts} attempts of this agent took`
    : 'as is assumed where too few have been made';
  return {
    seconds: estimatedSeconds({ calls, callsPerSecond, concurrency, callSeconds }),
    basis:
      `${calls} calls, at most ${callsPerSecond} per second and ${concurrency} at a time, of ${callSeconds} s each ` +
      `${because}; without retries and without hours outside of the calling window.`,
  };
}

const reportOf = (review: ContactsReview): Omit<z.output<typeof Report>, 'unfilledPlaceholders' | 'estimate'> => ({
  valid: review.parseError === null,
  parseError: review.parseError,
  ...(review.hint === null ? {} : { hint: review.hint }),
  rows: review.rows,
  recordsUploaded: review.parseError === null ? review.recipients : 0,
  recordsRejected: review.rejected,
  recordsCorrected: review.corrected,
  columns: [...review.columns],
  rejected: [...review.firstRejected],
});

const reviewOptions = ({ duplicates, missingPlus, callingWindow }: BatchForm) => ({
  duplicates,
  missingPlus,
  withTimeZones: callingWindow?.timezone === recipientZone,
});

/** POST /v1/batch-calls/validate */
export const validateBatchCall = operation({
  method: 'POST',
  url: '/v1/batch-calls/validate',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Try out a batch call',
    description:
      'Takes the form of create and says what would come of it: which rows would not be called and why, which placeholders ' +
      'of the agent no column fills, how long it would take. Nothing is stored and nobody is called. What create refuses ' +
      'is refused here with the same answer; a file that cannot be used is no error here but a report with `parseError`.',
    documentedBody: { contentType: 'multipart/form-data', schema: CreateBatchCallForm },
    response: { 200: Report },
    errors: [404],
  },

  async handler({ raw, caller: { accountId } }, deps) {
    const { db } = deps.database;
    const parts = await readFormParts(raw.raw);
    const form = requireForm(parts, deps, deps.clock());
    const route = await db.transaction().execute((tx) => lockBatchRoute(tx, accountId, form));
    const [review, texts, pace] = await Promise.all([
      reviewContacts(parts.bytes, form.extension, {
        ...reviewOptions(form),
        isDoNotCall: (numbers) => numbersNotToCall(db, accountId, numbers),
      }),
      agentTextsOfRule(db, accountId, route.ruleId),
      paceOf(db, accountId, route),
    ]);
    const report = reportOf(review);
    return {
      status: 200,
      body: {
        ...report,
        unfilledPlaceholders: texts === null || !report.valid ? [] : unfilledByFile(texts, report.columns),
        estimate: estimateOf(report.recordsUploaded, pace, form.maxConcurrentCalls),
      },
    };
  },
});
