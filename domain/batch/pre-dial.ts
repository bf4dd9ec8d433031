import { z } from 'zod';
import { expected } from '../input/field-problems.js';
import { isObject } from '../input/json-value.js';
import { shapeProblem } from '../input/json-shape.js';
import { formatId } from '../ids.js';
import { longestColumnName, mostColumns } from './column-names.js';
import { metadataFits } from './metadata-size.js';

/**
 * What becomes of a recipient about whom the endpoint gives no usable answer: it waits and is asked about again, is not called, or is
 * called all the same.
 */
export const onPreDialError = ['wait', 'skip', 'dial'] as const;

/** The endpoint of a client that is asked about recipients just before they are dialed. */
export interface PreDial {
  readonly url: string;
  readonly timeoutMs: number;
  readonly onError: (typeof onPreDialError)[number];
}

/** In place of an endpoint: nobody is asked, not even where the account's defaults have one. */
export const noPreDial = 'none';
/** Whether the text of a form field says so; JSON has it in quotes. */
export const isNoPreDial = (text: string | undefined): boolean =>
  text === noPreDial || text === JSON.stringify(noPreDial);

export const preDialExample = '{"url":"https://example.com/pre-dial","timeoutMs":2000,"onError":"wait"}';

const shortestTimeoutMs = 100;
export const longestTimeoutMs = 5_000;
const ordinaryTimeoutMs = 3_000;

/** Recipients of one question. */
export const mostAskedAtOnce = 100;
/** How long an answer holds: a recipient whose turn comes later is asked about again. */
export const answerHoldsSeconds = 60;
/** When a recipient is asked about again of whom an otherwise good answer said nothing usable. */
export const leftOutSeconds = 30;
/** Beyond the time limit of a question: from then on others may ask it. */
export const lostAfterMs = 2_000;
/** Largest answer that is read: 100 recipients with 5 KB each. */
export const largestAnswerBytes = 512 * 1024;
const longestReason = 200;

const timeoutWords = `must be a whole number from ${shortestTimeoutMs} to ${longestTimeoutMs}`;

const words = {
  url: 'https URL outside of private networks; asked by POST',
  timeoutMs: 'Longest wait, in milliseconds',
  onError:
    'Without a usable answer: wait asks again, skip ends the recipient `failed`, reason `pre_dial_unanswered`, dial calls ' +
    'all the same',
};

/** Question and answer, in short; docs/telephony.md has both. */
const protocolWords =
  '{batchId, records: [{recordId, id, phoneNumber, attempt, metadata}]}, answers {records: {<recordId>: {eligible, reason, ' +
  'metadata}}}. Its `metadata.timezone` is the callee’s clock';

/** @param endpointProblem why the service would not ask there, in words for the client; null if it would */
export const preDialInput = (endpointProblem: (url: string) => string | null) =>
  z.strictObject(
    {
      url: z
        .string(expected('must be a URL'))
        .max(2_048, 'must have at most 2048 characters')
        .superRefine((text, context) => {
          const problem = endpointProblem(text);
          if (problem !== null) context.addIssue(problem);
        })
        .describe(`${words.url} ${protocolWords}`),
      timeoutMs: z
        .int(timeoutWords)
        .min(shortestTimeoutMs, timeoutWords)
        .max(longestTimeoutMs, timeoutWords)
        .default(ordinaryTimeoutMs)
        .describe(words.timeoutMs),
      onError: z
        .enum(onPreDialError, `must be one of ${onPreDialError.join(', ')}`)
        .default('wait')
        .describe(words.onError),
    },
    `must be an object such as ${preDialExample}, or ${noPreDial}`,
  );

/** What the reference says of the setting. */
export const preDialWords =
  '{url, timeoutMs, onError}: an endpoint that is asked about up to 100 recipients at a time just before they are ' +
  'dialed, again after a minute. Default: that of the account';

/** An endpoint as a client sends it; where it leads is judged apart. */
export const PreDialInput = preDialInput(() => null).meta({ id: 'NewPreDial' });

/** An endpoint as it is stored and answered. */
export const PreDialAnswer = z
  .strictObject({
    url: z.string().describe('Asked by POST'),
    timeoutMs: z.int().describe(words.timeoutMs),
    onError: z.enum(onPreDialError).describe(words.onError),
  })
  .meta({ id: 'PreDial' });

/** What an endpoint says of one recipient. */
export type PreDialVerdict =
  | { readonly kind: 'cleared'; readonly metadata: Readonly<Record<string, unknown>> | null }
  | { readonly kind: 'refused'; readonly reason: string | null }
  /** Nothing usable; `why` for the account to read. */
  | { readonly kind: 'unusable'; readonly why: string };

const unusable = (why: string): PreDialVerdict => ({ kind: 'unusable', why });

const isStorable = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

/** Text of an endpoint as it is kept: a line of bounded length. */
export function boundedReason(text: string): string | null {
  const line = text
    .replace(/\p{Surrogate}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : Array.from(line).slice(0, longestReason).join('');
}

function metadataProblem(metadata: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(metadata);
  if (names.length > mostColumns) return `metadata must have at most ${mostColumns} names`;
  if (names.some((name) => name.trim() === '' || name.length > longestColumnName || !isStorable(name))) {
    return `metadata must have names of 1 to ${longestColumnName} characters`;
  }
  // JSON.stringify writes half a surrogate pair as an escape, which Postgres refuses as it does an escaped NUL.
  return /\\u(?:0000|d[89a-f])/i.test(JSON.stringify(metadata).replaceAll('\\\\', ''))
    ? 'metadata must not contain NUL or broken characters'
    : null;
}

function verdictOf(entry: unknown): PreDialVerdict {
  if (entry === undefined) return unusable('the answer does not name the recipient');
  if (!isObject(entry)) return unusable('must be an object such as {"eligible":true}');
  const { eligible, reason, metadata } = entry;
  if (typeof eligible !== 'boolean') return unusable('eligible must be true or false');
  if (reason !== undefined && reason !== null && typeof reason !== 'string') return unusable('reason must be a text');
  if (!eligible) return { kind: 'refused', reason: typeof reason === 'string' ? boundedReason(reason) : null };
  if (metadata === undefined || metadata === null) return { kind: 'cleared', metadata: null };
  if (!isObject(metadata)) return unusable('metadata must be an object');
  const problem = metadataProblem(metadata);
  return problem === null ? { kind: 'cleared', metadata } : unusable(problem);
}

/**
 * Reads the body of an answer: `{records: {<recordId>: {eligible, reason?, metadata?}}}`.
 *
 * @returns the verdict of each recipient that was asked about, in their order, or why there is none at all
 */
export function readPreDialAnswer(
  text: string,
  recordIds: readonly string[],
): { readonly verdicts: readonly PreDialVerdict[] } | { readonly problem: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { problem: 'the answer is not JSON' };
  }
  const shape = shapeProblem(body);
  if (shape !== null) return { problem: `the answer ${shape.message}` };
  const records = isObject(body) ? body.records : undefined;
  if (!isObject(records))
    return { problem: 'the answer must be an object such as {"records":{"rec_…":{"eligible":true}}}' };
  return {
    verdicts: recordIds.map((id) => verdictOf(Object.hasOwn(records, id) ? records[id] : undefined)),
  };
}

/** A recipient as its endpoint is told of it. */
interface AskedRecipient {
  readonly callId: string;
  readonly attempt: number;
  readonly toNumber: string;
  readonly recipientId: string | null;
  readonly metadataJson: string;
}

/** The body of a question. */
export const questionBody = (batchId: string, asked: readonly AskedRecipient[]) => ({
  type: 'pre-dial',
  batchId,
  records: asked.map(({ callId, attempt, toNumber, recipientId, metadataJson }) => ({
    recordId: formatId('record', callId),
    ...(recipientId === null ? {} : { id: recipientId }),
    phoneNumber: toNumber,
    attempt,
    metadata: JSON.parse(metadataJson) as unknown,
  })),
});

/**
 * Metadata with what an endpoint adds to it; its values replace those of the same name.
 *
 * @param before as JSON text
 */
export function mergedMetadata(
  before: string,
  added: Readonly<Record<string, unknown>>,
): { readonly before: string; readonly after: string; readonly names: readonly string[] } | 'too_large' {
  const known: unknown = JSON.parse(before);
  const merged = new Map([...Object.entries(isObject(known) ? known : {}), ...Object.entries(added)]);
  const after = JSON.stringify(Object.fromEntries(merged));
  return merged.size > mostColumns || !metadataFits(after) ? 'too_large' : { before, after, names: Object.keys(added) };
}

const firstPauseSeconds = 1;
const longestPauseSeconds = 30;

/** Seconds until an endpoint is asked again that has failed so often in a row, from 1. */
export const pauseAfterFailures = (failures: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(10, failures - 1));
