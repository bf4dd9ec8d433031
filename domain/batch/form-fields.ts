import { z } from 'zod';
import { unfilledRules } from '../account/defaults.js';
import { RetryInput } from './retry-input.js';
import { ColumnNames } from './column-names.js';
import { batchWebhookEvents, type BatchWebhookEvent } from './webhook.js';
import { noPreDial, preDialExample, preDialInput, preDialWords, PreDialAnswer, PreDialInput } from './pre-dial.js';
import { CallingWindowAnswer } from '../call/calling-window-answer.js';
import { CallingWindowInput } from '../call/calling-window-input.js';
import { expected } from '../input/field-problems.js';
import { isDialedCountry, noCountry } from '../phone/number-kind.js';
import { atMost, choice, json, jsonText, text, textWith } from './form-field-kinds.js';
import { lastPriority } from './dialing-order.js';
import { numberFields } from './number-fields.js';
import { dateProblem, timeProblem } from './schedule.js';
import { stopFields } from './stop-fields.js';
import { VariantsInput } from './variants.js';
import { zoneProblem } from '../call/time-zone.js';

const mostConcurrentCalls = 10_000;
export const longestName = 256;
const longestDescription = 1_000;

/** Why the service would not send webhooks to this address, in words for the client; null if it would. */
export type EndpointProblem = (endpoint: string) => string | null;

/** Name of a batch (docs/conformance.md, Limits and versioning). */
export const BatchName = atMost(longestName).refine((text) => text.trim() !== '', { error: 'must not be blank' });

const BatchDescription = atMost(longestDescription);

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
      endpoint: textWith(endpointProblem, 'must be a URL').describe('https URL outside of private networks'),
      events: z
        .array(WebhookEvent, expected(`must be an array of ${batchWebhookEvents.join(', ')}`))
        .min(1, 'must name at least one event')
        .refine((events) => new Set(events).size === events.length, { error: 'must not name an event twice' })
        .describe('Events that are sent, each named once'),
    },
    'must be an object such as {"endpoint":"https://example.com/hook","events":["batchcall-completed"]}',
  );

const priorityWords =
  `1 (first) to ${lastPriority}, default 5: its share of a gateway that several batch calls keep busy, by weight: 10 less the ` +
  'priority. Nobody waits for ever.';
const priorityProblem = `must be a whole number from 1 to ${lastPriority}`;
const PriorityChange = z.int(priorityProblem).min(1, priorityProblem).max(lastPriority, priorityProblem);

const openWords =
  'true: the batch call does not complete by itself, because recipients are added while it runs; close lets it end. ' +
  'Default false.';
const concurrencyWords = `must be a whole number from 1 to ${mostConcurrentCalls}`;

/**
 * Everything that a batch can be told, each field defined once:
 * - `reads`: how the text of the form field is read;
 * - `shown`: the form field in the reference;
 * - `inJson`: the same as a value in a JSON body, which is read by `reads` too (`textOfJson`);
 * - `changed`: the field in the body of PATCH, if it can be changed (`retry` is in api/batch-calls/update-body.ts);
 * - `answered`: the setting in the answer of GET, if it is shown under its own name.
 */
const batchFields = (endpointProblem: EndpointProblem) => ({
  name: {
    reads: BatchName,
    shown: z.string().min(1).max(longestName).describe('Returned as batchName'),
    inJson: z
      .string()
      .min(1)
      .max(longestName)
      .meta({ description: 'Returned as batchName', examples: ['Appointment reminders'] }),
    changed: BatchName.optional().describe('Returned as batchName'),
  },
  ...numberFields,
  description: {
    reads: BatchDescription,
    shown: z.string().max(longestDescription).optional().describe('For your own use; it is returned'),
    inJson: z.string().max(longestDescription).optional().describe('For your own use; it is returned'),
    changed: BatchDescription.nullish().describe('null clears it'),
  },
  routingRuleId: text(z.string(), 'Outbound rule that picks the agent. May be omitted if the number has exactly one.'),
  schedule: {
    ...jsonText(
      ScheduleInput,
      exampleSchedule,
      '{date: YYYY-MM-DD, time: HH:MM, timezone}; omitted: calls start when the file has been read. timezone ' +
        'is an IANA name, default that of the account, else Asia/Calcutta. A time that the clocks skip is refused; of ' +
        'one that they show twice, the earlier counts. The current minute starts at once; earlier times and those ' +
        'over a year ahead are refused.',
    ),
    changed: ScheduleInput.nullish().describe(
      'While the status is parsing or scheduled. {date, time, timezone} as in create, where timezone is omitted, ' +
        'that of the account, else Asia/Calcutta; null: it starts as soon as the file has been read',
    ),
  },
  retry: jsonText(
    RetryInput,
    '{"retryOn":["missed"],"retryDelays":[300]}',
    '{retryOn, retryDelays}; omitted: each number is called once. retryOn: any of failed, not-answered, ' +
      'rejected, missed, abandoned, voicemail (a machine answered), unsuccessful (answered without success). retryDelays: 1 to 5 whole numbers of seconds, each 1 to 604800, one for each ' +
      'retry.',
  ),
  webhook: jsonText(
    webhookInput(endpointProblem),
    '{"endpoint":"https://example.com/hook","events":["batchcall-completed"]}',
    '{endpoint, events}; events: at least one of batchcall-started, batchcall-completed. The endpoint is an ' +
      'https URL outside of private networks.',
  ),
  callingWindow: {
    ...jsonText(
      CallingWindowInput,
      '{"from":"09:00","until":"20:00"}',
      '{from: "09:00", until: "20:00", daysOfWeek: [1, 2], timezone, except: ["2027-12-25"]}, or an array of 1 to 14: calls ' +
        'start while any is open. until: up to 24:00; before from: on the next day. daysOfWeek: 1 is Monday, default every ' +
        'day. timezone: IANA name, or recipient (default): that of a timezone column, else of the number, else of the ' +
        'batch; of several, it must be open in all. except: dates on which none opens, 366 together.',
    ),
    changed: CallingWindowInput.nullish().describe(
      'Until the batch call ends. Holds for every call that has not been dialed, those in the queue and planned ' +
        'retries included; null: calls are made at any hour',
    ),
    answered: CallingWindowAnswer.optional().describe('Hours in which calls may start'),
  },
  maxConcurrentCalls: {
    ...text(
      z
        .string()
        .regex(/^\d{1,9}$/, concurrencyWords)
        .transform(Number)
        .refine((calls) => calls >= 1 && calls <= mostConcurrentCalls, { error: concurrencyWords }),
      `Most calls of this batch at the same time, 1 to ${mostConcurrentCalls}; the gateway has its own limit`,
    ),
    inJson: z
      .int()
      .min(1)
      .max(mostConcurrentCalls)
      .optional()
      .describe('Most calls of this batch at the same time; the gateway has its own limit'),
    changed: z
      .int()
      .min(1)
      .max(mostConcurrentCalls)
      .nullish()
      .describe('Until the batch call ends. null: as many as the gateway takes'),
    answered: z.int().optional().describe('Most calls of this batch call at the same time'),
  },
  variants: {
    ...jsonText(
      VariantsInput,
      '[{"agentId":"agt_…","weight":50},{"agentId":"agt_…","weight":50}]',
      '[{agentId, versionId, weight}]: 2 to 10 active agents in place of that of the rule. Each recipient gets one by ' +
        'weight and keeps it.',
    ),
    changed: VariantsInput.optional().describe(
      'Until the batch call ends: other weights, for recipients that are stored from now on',
    ),
    answered: VariantsInput.optional().describe('Who talks'),
  },
  priority: {
    ...text(
      z
        .string()
        .regex(/^[1-9]$/, priorityProblem)
        .transform(Number),
      priorityWords,
    ),
    inJson: PriorityChange.optional().describe(priorityWords),
    changed: PriorityChange.optional().describe('Until the batch call ends, for calls from now on'),
    answered: z.int().describe('1 (first) to 9: its share of a gateway that several batch calls keep busy'),
  },
  columns: {
    reads: json(ColumnNames, '{"phone_number":"Mobile"}'),
    shown: z
      .string()
      .optional()
      .describe(
        'JSON {phone_number: "Mobile", first_name: "Given name"}: names for columns of the file that have other headers ' +
          'in it. Records and export have the columns by these names.',
      ),
    answered: ColumnNames.optional().describe('Headers of the file by the names that they were given'),
  },
  duplicates: choice(
    ['call', 'skip'],
    'call (default): identical rows are skipped, the same number with other metadata is called again; skip: each ' +
      'number once',
  ),
  missingPlus: choice(
    ['reject', 'add'],
    'Numbers without +: reject (default) lists them under rejected-rows; add puts it in front if that gives a valid ' +
      'number',
  ),
  defaultCountry: {
    ...text(
      z.string().refine((code) => code !== noCountry && isDialedCountry(code), {
        error: 'must be an ISO 3166-1 country code such as US',
      }),
      'ISO 3166-1 alpha-2, such as US: numbers without + are read as numbers of this country if valid there, and ' +
        'counted as corrected. Default: that of the account, unless missingPlus is sent.',
    ),
    answered: z.string().optional().describe('Numbers in the file that had no + were read as of this country'),
  },
  open: {
    reads: z.enum(['true', 'false'], 'must be true or false').transform((word) => word === 'true'),
    shown: z.enum(['true', 'false']).optional().describe(openWords),
    inJson: z.boolean().optional().describe(openWords),
    changed: z.boolean().optional().describe('Until the batch call ends. false lets it end, as close does'),
    answered: z.boolean().describe('Whether more recipients may come: an open one does not complete by itself'),
  },
  ...stopFields,
  preDial: {
    // `none` is read by the form.
    reads: json(preDialInput(endpointProblem), preDialExample),
    shown: z.string().optional().describe(`JSON ${preDialWords}, or ${noPreDial}: not even that of the account`),
    inJson: z
      .union([PreDialInput, z.literal(noPreDial)])
      .optional()
      .describe(`${preDialWords}, or ${noPreDial}: not even that of the account`),
    changed: PreDialInput.nullish().describe(
      'Until the batch call ends. Answers of the endpoint before do not count any more; null: nobody is asked',
    ),
    answered: PreDialAnswer.optional().describe('Endpoint that is asked about recipients before they are dialed'),
  },
  unfilledPlaceholders: {
    ...choice(
      unfilledRules,
      'Placeholders of prompt and greeting that no column and no agentMetadata of the rule fills: allow (default, ' +
        'unless the account has another) leaves them empty; reject ends the batch call parse_failed with their names, ' +
        'and lists rows that leave one empty under rejected-rows.',
    ),
    answered: z
      .enum(unfilledRules)
      .describe('What is done about a placeholder of prompt or greeting that nothing fills'),
  },
});

type Fields = ReturnType<typeof batchFields>;
type Aspect = 'reads' | 'shown' | 'inJson' | 'changed' | 'answered';

/** One aspect of the fields that have it, by the fields' names. */
function aspectOf<A extends Aspect>(aspect: A, fields: Fields) {
  type Found = { [F in keyof Fields as Fields[F] extends Record<A, z.ZodType> ? F : never]: Fields[F] };
  const found = Object.entries(fields).flatMap(([name, aspects]: [string, Partial<Record<Aspect, z.ZodType>>]) =>
    aspects[aspect] === undefined ? [] : [[name, aspects[aspect]] as const],
  );
  return Object.fromEntries(found) as { [F in keyof Found]: Found[F] extends Record<A, infer T> ? T : never };
}

const fields = batchFields(() => null);

/** How the text of each form field is read. */
export const batchFormReaders = (endpointProblem: EndpointProblem) => aspectOf('reads', batchFields(endpointProblem));
/** The form fields as the reference shows them. */
export const shownFields = aspectOf('shown', fields);
/** The form fields as values of a JSON body. */
export const jsonFields = aspectOf('inJson', fields);
/** What PATCH can change, but for `retry`. */
export const changedFields = aspectOf('changed', fields);
/** The settings that GET answers under their own names. */
export const answeredFields = aspectOf('answered', fields);
