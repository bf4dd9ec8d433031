import { z } from 'zod';
import { customHeaders } from '../call/sip-headers.js';
import { zoneProblem } from '../call/time-zone.js';
import type { Problem } from '../errors.js';
import { expected, fieldProblems } from '../input/field-problems.js';
import { mostProblems } from '../input/problem-limit.js';
import { languageMeant } from '../session-plan/plan.js';
import { longestColumnName, mostColumns } from './column-names.js';
import { lastPriority, readInstant } from './dialing-order.js';

/** Recipients of one request. */
export const mostRecipients = 10_000;

const longestNumber = 200;
const longestId = 128;

const zone = z.string().superRefine((text, context) => {
  const problem = zoneProblem(text);
  if (problem !== null) context.addIssue(problem);
});

/** A person to call, as a client sends it in JSON. A number that cannot be called is found later, as in a file. */
export const RecipientInput = z
  .strictObject(
    {
      phoneNumber: z
        .string(expected('must be a text'))
        .max(longestNumber, `must have at most ${longestNumber} characters`)
        .describe('Number to call, E.164 with the +; read as a cell of a file is'),
      id: z
        .string('must be a text')
        .min(1, 'must not be empty')
        .max(longestId, `must have at most ${longestId} characters`)
        .optional()
        .describe('Your own id; unique within the batch call'),
      metadata: z
        .record(z.string().max(longestColumnName), z.unknown(), 'must be an object')
        .optional()
        .describe('Passed to the agent; at most 16 KB. At most 200 different names in all recipients'),
      timezone: zone
        .optional()
        .describe("IANA name of the callee's zone; default: metadata.timezone, else the zones of the number"),
      language: z
        .string('must be a text')
        .max(64, 'must have at most 64 characters')
        .optional()
        .describe('Language to begin in, by name or code: one of the agent’s'),
      priority: z
        .int('must be a whole number')
        .min(1, 'must be at least 1')
        .max(lastPriority, `must be at most ${lastPriority}`)
        .optional()
        .describe('1 is called first, 9 last; default 5'),
      notBefore: z
        .string('must be a text')
        .refine((text) => readInstant(text) !== null, 'must be an instant such as 2027-03-01T09:30:00Z')
        .optional()
        .describe('ISO 8601 with an offset: not dialed before; calling window and guardrails hold as well'),
      headers: customHeaders().optional().describe('SIP headers of the INVITE; those of the rule win'),
    },
    'must be an object such as {"phoneNumber":"+14155550123"}',
  )
  .meta({
    id: 'NewRecipient',
    examples: [{ phoneNumber: '+14155550123', id: 'crm-7', metadata: { first_name: 'Asha' } }],
  });

export type RecipientInput = z.output<typeof RecipientInput>;

const { metadata, priority, notBefore } = RecipientInput.shape;

/** What is changed in a recipient that was never dialed. Null: as one that was sent without it. */
export const RecipientChange = z
  .strictObject({
    metadata: metadata
      .unwrap()
      .nullish()
      .describe('Replaces all of it; at most 16 KB. null: none. Another `timezone` in it is the callee’s clock'),
    notBefore: notBefore.unwrap().nullish().describe('As of a new recipient. null: none'),
    priority: priority.unwrap().nullish().describe('1 is called first, 9 last. null: 5'),
  })
  .meta({ id: 'RecipientChange', examples: [{ notBefore: '2027-03-01T09:30:00Z', priority: 1 }] });

export type RecipientChange = z.output<typeof RecipientChange>;

/** How far ahead a call can be promised, in days. */
export const mostDaysToCallback = 366;

/** When a recipient is called back. */
export const CallbackInput = z
  .strictObject({
    at: z
      .string(expected('must be a text'))
      .refine((text) => readInstant(text) !== null, 'must be an instant such as 2027-03-01T09:30:00Z')
      .describe(
        `ISO 8601 with an offset, at most ${mostDaysToCallback} days ahead; at once if it is past. Calling window and guardrails hold as well`,
      ),
  })
  .meta({ id: 'Callback', examples: [{ at: '2027-03-01T09:30:00Z' }] });

/** The recipients of a request without fault in themselves, or everything that is wrong with them, each with its index. */
export type RecipientsRead =
  { readonly recipients: readonly RecipientInput[] } | { readonly problems: readonly Problem[] };

const wrong = (path: string, code: string, message: string): Problem => ({ path, code, message });

/** Reads `recipients` of a JSON body whose nulls have been removed. */
export function readRecipients(value: unknown): RecipientsRead {
  if (value === undefined) return { problems: [wrong('recipients', 'REQUIRED', 'is required')] };
  if (!Array.isArray(value)) return { problems: [wrong('recipients', 'INVALID_TYPE', 'must be an array')] };
  if (value.length < 1 || value.length > mostRecipients) {
    const message = `must have 1 to ${mostRecipients} entries, and has ${value.length}`;
    return { problems: [wrong('recipients', 'OUT_OF_RANGE', message)] };
  }
  const problems: Problem[] = [];
  const recipients: RecipientInput[] = [];
  const firstWith = new Map<string, number>();
  const names = new Set<string>();
  for (const [index, each] of value.entries()) {
    // An answer lists so many; it says that there are more.
    if (problems.length > mostProblems) break;
    const path = `recipients[${index}]`;
    const parsed = RecipientInput.safeParse(each);
    if (!parsed.success) {
      problems.push(...fieldProblems(path, parsed.error));
      continue;
    }
    const { id, metadata = {} } = parsed.data;
    const first = id === undefined ? undefined : firstWith.get(id);
    if (first !== undefined) {
      problems.push(wrong(`${path}.id`, 'INVALID_VALUE', `is the same as that of recipients[${first}]`));
    } else if (id !== undefined) firstWith.set(id, index);
    for (const name of Object.keys(metadata)) names.add(name);
    if (names.size > mostColumns) {
      const message = `has a name too many: all recipients together may have ${mostColumns} different names`;
      problems.push(wrong(`${path}.metadata`, 'OUT_OF_RANGE', message));
      break;
    }
    recipients.push(parsed.data);
  }
  return problems.length > 0 ? { problems } : { recipients };
}

/** Languages of recipients that the agent does not speak. @param spoken names of the agent's languages */
export const languageProblems = (recipients: readonly RecipientInput[], spoken: readonly string[]): Problem[] =>
  recipients.flatMap(({ language }, index) =>
    language === undefined || languageMeant(language, spoken) !== null
      ? []
      : [wrong(`recipients[${index}].language`, 'INVALID_VALUE', `must be one of ${spoken.join(', ')}`)],
  );
