import { z } from 'zod';
import { unfilledRules } from '../account/defaults.js';
import { RetryInput } from './retry-input.js';
import { batchWebhookEvents, type BatchWebhookEvent } from './webhook.js';
import { CallingWindowInput } from '../call/calling-window-input.js';
import { expected } from '../input/field-problems.js';
import { shapeProblem } from '../input/json-shape.js';
import { isDialedCountry, noCountry } from '../phone/number-kind.js';
import { e164Problem } from '../phone/phone-number.js';
import { dateProblem, timeProblem } from './schedule.js';
import { zoneProblem } from '../call/time-zone.js';

/** `maxConcurrentCalls` goes up to this. */
export const mostConcurrentCalls = 10_000;

/** Why the service would not send webhooks to this address, in words for the client; null where it would. */
export type EndpointProblem = (endpoint: string) => string | null;

/** Characters as a person counts them: an emoji is one, also where it takes two places in memory. */
const atMost = (limit: number) =>
  z
    .string()
    .refine((text) => Array.from(text).length <= limit, { error: `must have at most ${limit} characters` })
    // Postgres stores neither NUL nor half a surrogate pair.
    .refine((text) => !/\0|\p{Surrogate}/u.test(text), { error: 'must not contain NUL or broken characters' });

/** A field whose text is JSON. The word null counts as left out, as it does in a JSON body. */
const json = <T extends z.ZodType>(content: T, example: string) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        const value: unknown = JSON.parse(text);
        const problem = shapeProblem(value);
        if (problem === null) return value;
        context.addIssue(problem.message);
        return z.NEVER;
      } catch {
        context.addIssue(`must be JSON, such as ${example}`);
        return z.NEVER;
      }
    })
    .pipe(content.nullable());

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

/** A text that a rule may find wrong, in the rule's own words. */
const textWith = (problemOf: (text: string) => string | null, words: string) =>
  z.string(expected(words)).superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== null) context.addIssue(problem);
  });

/** Name of a batch (service.md, Limits). */
export const BatchName = atMost(256).refine((text) => text.trim() !== '', { error: 'must not be blank' });

export const BatchDescription = atMost(1000);

const exampleSchedule = '{"date":"2027-01-31","time":"09:30","timezone":"America/New_York"}';

/** When a batch is to start, as a client sends it; whether that can be is for `startOf` to say. */
export const ScheduleInput = z
  .strictObject(
    {
      date: textWith(dateProblem, 'must be a date such as "2027-01-31"').describe('YYYY-MM-DD'),
      time: textWith(timeProblem, 'bad time format: must be a text such as "09:30"').describe('HH:MM, 24 hours'),
      timezone: textWith(zoneProblem, 'must be an IANA time zone name')
        .nullish()
        .describe('IANA name; default: that of the account, else Asia/Calcutta'),
    },
    `must be an object such as ${exampleSchedule}`,
  )
  .meta({ id: 'NewSchedule' });

const WebhookEvent = z.custom<BatchWebhookEvent>((value) => batchWebhookEvents.some((event) => event === value), {
  error: (issue) => `invalid event ${JSON.stringify(issue.input)}: must be one of ${batchWebhookEvents.join(', ')}`,
});

const webhookInput = (endpointProblem: EndpointProblem) =>
  z.strictObject(
    {
      endpoint: textWith(endpointProblem, 'must be a URL'),
      events: z
        .array(WebhookEvent, expected(`must be an array of ${batchWebhookEvents.join(', ')}`))
        .min(1, 'must name at least one event')
        .refine((events) => new Set(events).size === events.length, { error: 'must not name an event twice' }),
    },
    'must be an object such as {"endpoint":"https://example.com/hook","events":["batchcall-completed"]}',
  );

/** The text fields of create batch call: how the text of each is read. */
export const batchFormFields = (endpointProblem: EndpointProblem) => ({
  name: BatchName,
  phoneNumber: textWith(e164Problem, 'must be a phone number'),
  phoneNumberId: z.string(),
  description: BatchDescription,
  routingRuleId: z.string(),
  schedule: json(ScheduleInput, exampleSchedule),
  retry: json(RetryInput, '{"retryOn":["missed"],"retryDelays":[300]}'),
  webhook: json(
    webhookInput(endpointProblem),
    '{"endpoint":"https://example.com/hook","events":["batchcall-completed"]}',
  ),
  callingWindow: json(CallingWindowInput, '{"from":"09:00","until":"20:00"}'),
  maxConcurrentCalls: z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from 1 to ${mostConcurrentCalls}`)
    .transform(Number)
    .refine((calls) => calls >= 1 && calls <= mostConcurrentCalls, {
      error: `must be a whole number from 1 to ${mostConcurrentCalls}`,
    }),
  duplicates: oneOf(['call', 'skip']),
  missingPlus: oneOf(['reject', 'add']),
  defaultCountry: z.string().refine((code) => code !== noCountry && isDialedCountry(code), {
    error: 'must be an ISO 3166-1 country code such as US',
  }),
  unfilledPlaceholders: oneOf(unfilledRules),
});
