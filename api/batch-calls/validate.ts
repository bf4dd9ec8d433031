import { z } from 'zod';
import { reviewContacts, type ContactsReview } from '../../contacts/review-contacts.js';
import { agentTexts } from '../../db/queries/agents/texts.js';
import { type GatewayPace, paceOf, recentModelUse } from '../../db/queries/batches/pace.js';
import { type AccountPrices, findPrices } from '../../db/queries/accounts/prices.js';
import { type GuardrailsInForce, guardrailsInForce } from '../../db/queries/accounts/guardrails.js';
import { numbersNotToCall } from '../../db/queries/batches/parse.js';
import { lockBatchRoute } from '../../db/queries/batches/lock-route.js';
import { columnsSpoken, unfilledByFile } from '../../domain/agent-config/placeholders.js';
import { type CostFacts, costEstimate, noModelsSoFar } from '../../domain/batch/cost-estimate.js';
import { estimatedSeconds } from '../../domain/batch/estimate.js';
import type { BatchForm } from '../../domain/batch/form.js';
import { recipientZone } from '../../domain/call/calling-window.js';
import { takeReading } from '../file-turns.js';
import { operation } from '../operation.js';
import { instant } from '../fields.js';
import { CreateBatchCallForm, CreateBatchCallJson } from './create-form.js';
import { requireForm } from './create.js';
import { requireKnownSuccess } from './required-success.js';
import { readSentBatch, recipientsBody, requireSpokenLanguages } from './read-form.js';
import { HeldBack, heldBackBy } from './held-back.js';
import { RejectedRow } from './rejected-rows.js';
import { UnfilledPlaceholders } from './unfilled-placeholders.js';

const Report = z
  .strictObject({
    valid: z
      .boolean()
      .describe('Whether any number would be called; some rows may be rejected, and some calls refused'),
    parseError: z
      .string()
      .nullable()
      .describe('Why the file cannot be used, as the batch call would say; null if it can'),
    hint: z.string().optional().describe('Advice on the file as a whole, if there is any'),
    rows: z.int().describe('Rows of the file that are not blank, the header not counted'),
    recordsUploaded: z.int().describe('Numbers that would be called'),
    recordsRejected: z.int().describe('Rows that would not be called'),
    recordsCorrected: z.int().describe('Rows whose number would be corrected before it is dialed'),
    columns: z.array(z.string()).describe("Names of the columns in the file's order, phone_number included"),
    rejected: z.array(RejectedRow).describe('The first 100 rows that would not be called'),
    corrected: z
      .array(
        z.strictObject({
          row: z
            .int()
            .describe('Row of the file as a spreadsheet counts them: the header is row 1. Of JSON: the index + 1'),
          value: z.string().describe('What the phone_number cell holds'),
          phoneNumber: z.string().describe('What would be dialed, E.164'),
        }),
      )
      .describe(
        'The first 1,000 rows whose number would be corrected before it is dialed: separators removed, or with ' +
          'missingPlus=add a + put in front. Look at the countries: 6595550123 of the United States becomes a number ' +
          'of Singapore.',
      ),
    unfilledPlaceholders: UnfilledPlaceholders,
    startsAt: instant().describe('When the batch call would start'),
    firstCallAt: instant()
      .nullable()
      .describe('When the first number could be called, as far as guardrails and calling window go; null: none ever'),
    dialingStopped: z.boolean().describe('All dialing of the account is stopped: nothing is called until it goes on'),
    heldBack: HeldBack,
    judged: z
      .int()
      .describe('Numbers that heldBack and firstCallAt look at: the first 50,000 of those that would be called'),
    estimate: z
      .strictObject({
        seconds: z.int().describe('From the start to the end of the last call, each number called once'),
        basis: z.string().describe('What that was worked out from'),
        cost: z
          .strictObject({
            low: z.number().describe('Each number called once'),
            high: z.number().describe('With all retries, if there are any'),
            currency: z.string().describe('ISO 4217'),
            withoutPrice: z.int().describe('Numbers of countries without a price: their minutes are in neither'),
            basis: z.string().describe('What that was worked out from'),
          })
          .optional()
          .describe('What the calls are likely to cost; omitted if the account has no prices'),
      })
      .describe('How long the calls would take, and what they would cost'),
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
        recordsCorrected: 1,
        columns: ['phone_number', 'name', 'appointment'],
        rejected: [{ row: 17, value: '', reason: 'missing_number', message: 'There is no number in this row.' }],
        corrected: [{ row: 9, value: '+1 (415) 555-0123', phoneNumber: '+14155550123' }],
        unfilledPlaceholders: [{ path: 'languages.english.prompt', placeholder: 'doctor' }],
        startsAt: '2026-03-02T17:30:00.000Z',
        firstCallAt: '2026-03-02T17:30:00.000Z',
        dialingStopped: false,
        heldBack: [
          { reason: 'country_not_allowed', count: 1, until: null, untilLast: null, rows: [12] },
          {
            reason: 'guardrail_hours',
            count: 40,
            until: '2026-03-02T18:00:00.000Z',
            untilLast: '2026-03-02T19:00:00.000Z',
            rows: [2, 3, 5, 8, 9, 14, 15, 20, 21, 22],
          },
        ],
        judged: 250,
        estimate: {
          seconds: 309,
          basis:
            '250 calls, at most 1 per second and 50 at a time, of 60 s each as is assumed if too few have been ' +
            'made; without retries and without hours outside of the calling window.',
          cost: {
            low: 0.98,
            high: 4.31,
            currency: 'USD',
            withoutPrice: 0,
            basis:
              '28 to 41 of 100 attempts answered, for 48 s each, as the last 212 attempts of this agent were. Low: each number ' +
              'is called once; high: with all retries. Models cost 0.031 a minute, as in 212 conversations of this agent. ' +
              'By the prices of now.',
          },
        },
      },
    ],
  });

/** Assumed if too few calls have been made to know better. */
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
    : 'as is assumed if too few have been made';
  return {
    seconds: estimatedSeconds({ calls, callsPerSecond, concurrency, callSeconds }),
    basis:
      `${calls} calls, at most ${callsPerSecond} per second and ${concurrency} at a time, of ${callSeconds} s each ` +
      `${because}; without retries and without hours outside of the calling window.`,
  };
}

/** @param prices null: the account has none, and nothing is said of costs */
const costOf = (prices: AccountPrices | null, facts: Omit<CostFacts, 'prices' | 'modelPrices'>) =>
  prices === null || prices.calls.length + prices.models.length === 0
    ? {}
    : {
        cost: {
          currency: prices.currency,
          ...costEstimate({ prices: prices.calls, modelPrices: prices.models, ...facts }),
        },
      };

const reportOf = (review: ContactsReview, isJson: boolean) => ({
  valid: review.parseError === null,
  parseError: review.parseError,
  ...(review.hint === null ? {} : { hint: review.hint }),
  rows: review.rows,
  recordsUploaded: review.parseError === null ? review.recipients : 0,
  recordsRejected: review.rejected,
  recordsCorrected: review.corrected,
  columns: [...review.columns],
  rejected: review.firstRejected.map((row) => ({ ...row, ...(isJson ? { index: row.row - 1 } : {}) })),
  corrected: [...review.firstCorrected],
});

const reviewOptions = (
  { columns, duplicates, missingPlus, defaultCountry, callingWindow }: BatchForm,
  { guardrails }: GuardrailsInForce,
) => ({
  ...(columns === null ? {} : { columnNames: columns }),
  duplicates,
  missingPlus,
  defaultCountry,
  withTimeZones: callingWindow?.timezone === recipientZone,
  refuseUnknownZones: callingWindow?.timezone === recipientZone || guardrails.callingHours.length > 0,
});

/** Of a file that cannot be used. */
const nobodyHeld = { refused: 0, countries: new Map<string, number>(), judged: 0, firstCallAt: null, heldBack: [] };

/** POST /v1/batch-calls/validate */
export const validateBatchCall = operation({
  name: 'batchCalls.validate',
  method: 'POST',
  url: '/v1/batch-calls/validate',
  family: 'batch-calls',
  tag: 'Batch calls',
  ...recipientsBody,
  schema: {
    summary: 'Try out a batch call',
    description:
      'Takes what create takes and reports what it would do: which rows would not be called and why, which ' +
      'placeholders of the agent no column fills, which numbers guardrails, do-not-call list and calling window ' +
      'hold back and until when, how long it would take, what it would cost. Nothing is stored and no one is called. What create ' +
      'refuses is refused here with the same answer; a file that cannot be used is reported as `parseError`, not as ' +
      'an error.',
    documentedBody: { contentType: 'application/json', schema: CreateBatchCallJson, form: CreateBatchCallForm },
    response: { 200: Report },
    errors: [404],
  },

  async handler({ raw, caller: { accountId } }, deps) {
    const { db } = deps.database;
    const parts = await readSentBatch(raw);
    const { form, defaults, now } = await requireForm(db, accountId, parts, deps);
    const route = await db.transaction().execute((tx) => lockBatchRoute(tx, accountId, form));
    const who = { ruleId: route.ruleId, variants: form.variants };
    await requireSpokenLanguages(db, accountId, who, parts.recipients ?? []);
    await requireKnownSuccess(db, accountId, who, form);
    const [texts, pace, inForce, prices] = await Promise.all([
      agentTexts(db, accountId, who),
      paceOf(db, accountId, route),
      guardrailsInForce(db, accountId),
      findPrices(db, accountId),
    ]);
    const modelsSoFar =
      (prices?.models.length ?? 0) > 0 ? await recentModelUse(db, accountId, route.agentId) : noModelsSoFar;
    const startsAt = new Date(Math.max(form.schedule?.startsAt.getTime() ?? 0, now.getTime()));
    const held = heldBackBy({
      ...{ db, accountId, inForce, startsAt, window: form.callingWindow, fromNumber: route.fromNumber },
      timezone: form.schedule?.timezone ?? defaults.timezone,
    });
    const options = {
      ...reviewOptions(form, inForce),
      columnsToFill: form.unfilledPlaceholders === 'allow' ? [] : columnsSpoken(texts),
      isDoNotCall: (numbers: readonly string[]) => numbersNotToCall(db, accountId, numbers),
    };
    const review = await takeReading(accountId, () =>
      reviewContacts(parts.bytes, form.extension, options, async ({ recipients, rejected }) => {
        for (const { row, reason } of rejected) if (reason === 'do_not_call') held.addDoNotCall(row);
        await held.add(recipients);
      }),
    );
    const report = reportOf(review, parts.recipients !== null);
    const { refused, countries, ...whom } = report.valid ? held.result() : nobodyHeld;
    const calls = report.recordsUploaded - refused;
    return {
      status: 200,
      body: {
        ...report,
        valid: report.valid && refused < report.recordsUploaded,
        unfilledPlaceholders: report.valid ? unfilledByFile(texts, report.columns) : [],
        startsAt: startsAt.toISOString(),
        ...whom,
        dialingStopped: inForce.dialingStoppedAt !== null,
        estimate: {
          ...estimateOf(calls, pace, form.maxConcurrentCalls),
          ...costOf(prices, { gatewayId: route.gatewayId, calls, countries, soFar: pace, modelsSoFar, ...form }),
        },
      },
    };
  },
});
