import type { z } from 'zod';
import type { Problem } from '../domain/errors.js';
import { Failure } from '../domain/errors.js';
import { issuesOf, wordsAt } from '../domain/input/field-problems.js';
import { mostProblems } from '../domain/input/problem-limit.js';
import { isObject } from '../domain/input/json-value.js';

/** Objects whose content is the caller's own: nulls in them are values, not omitted fields. */
const freeFields = new Set(['advanced', 'metadata', 'agentMetadata', 'headers', 'headersToAttributes', 'parameters']);

/** `['languages', 'english', 'tts', 0]` → `languages.english.tts[0]` */
function dottedPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
}

/** What a JSON body means: null is an omitted field (except in the caller's own data). */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, child]) => child !== null)
      .map(([key, child]) => [key, freeFields.has(key) ? child : withoutNulls(child)]),
  );
}

// Postgres stores neither NUL nor half a surrogate pair.
const unstorable = /\0|\p{Surrogate}/u;

/** Where a value stands: its name or index in another one; null for the whole. */
type Place = { readonly step: PropertyKey; readonly within: Place } | null;

function stepsTo(place: Place): PropertyKey[] {
  const steps: PropertyKey[] = [];
  for (let at = place; at !== null; at = at.within) steps.unshift(at.step);
  return steps;
}

/** Texts and numbers that cannot be stored, as many as an answer lists. Only of values whose shape has been judged (`shapeProblem`). */
function unusableParts(value: unknown, place: Place = null, found: Problem[] = []): Problem[] {
  const wrong = (message: string) => found.push({ path: dottedPath(stepsTo(place)), code: 'INVALID_VALUE', message });
  if (found.length > mostProblems) return found;
  if (typeof value === 'string') {
    if (unstorable.test(value)) wrong('must not contain NUL or broken characters');
  } else if (typeof value === 'number') {
    // JSON may say 1e400, which would be stored as null.
    if (!Number.isFinite(value)) wrong('is larger than any number the service can hold');
  } else if (Array.isArray(value)) {
    value.forEach((child: unknown, index) => unusableParts(child, { step: index, within: place }, found));
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      if (unstorable.test(key)) wrong('has a key with NUL or broken characters');
      else unusableParts(child, { step: key, within: place }, found);
    }
  }
  return found;
}

const unknownField = 'is not a known field';

const listed = (values: readonly unknown[]): string => values.map(String).join(', ');

const withArticle = (noun: string): string => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** Messages for what zod finds wrong, if the schema itself has none. */
function wordsFor(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int'
        ? 'must be a whole number'
        : `must be ${withArticle(issue.expected === 'record' ? 'object' : issue.expected)}`;
    case 'invalid_value':
      return `must be one of: ${listed(issue.values)}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
      return `must be at most ${issue.maximum}`;
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'must not be empty' : `must have at least ${issue.minimum} characters`;
      if (issue.origin === 'array')
        return `must have at least ${issue.minimum} ${issue.minimum === 1 ? 'entry' : 'entries'}`;
      return issue.inclusive === false ? `must be more than ${issue.minimum}` : `must be at least ${issue.minimum}`;
    case 'unrecognized_keys':
      return unknownField;
    default:
      return 'is not valid';
  }
}

function codeFor(issue: z.core.$ZodIssue, input: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'UNRECOGNIZED_KEY';
    case 'invalid_type':
      return input === undefined ? 'REQUIRED' : 'INVALID_TYPE';
    case 'too_big':
      return issue.origin === 'string' ? 'TOO_LONG' : 'OUT_OF_RANGE';
    case 'too_small':
      return issue.origin === 'string' ? 'INVALID_VALUE' : 'OUT_OF_RANGE';
    case 'custom': {
      const code: unknown = issue.params?.code;
      return typeof code === 'string' ? code : 'INVALID_VALUE';
    }
    default:
      return input === undefined ? 'REQUIRED' : 'INVALID_VALUE';
  }
}

/** What is at a path of a JSON value; undefined if nothing is. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (found, step) => (typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined),
    value,
  );

function problemsOf(error: z.ZodError, input: unknown): Problem[] {
  return issuesOf(error).flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, mostProblems + 1).map((key) => ({
        path: dottedPath([...issue.path, key]),
        code: 'UNRECOGNIZED_KEY',
        message: unknownField,
      }));
    }
    const code = codeFor(issue, valueAt(input, issue.path));
    const path = dottedPath(issue.path);
    return [{ path, code, message: wordsAt(issue, path) }];
  });
}

export type Parsed<T> = { readonly value: T } | { readonly problems: readonly Problem[] };

/** As `withoutNulls`, but for the fields of the body itself: null there is a field to be cleared. */
const withClearedFields = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([key, child]) => [key, freeFields.has(key) ? child : withoutNulls(child)]),
      )
    : withoutNulls(body);

/**
 * A JSON body as every operation reads it: nulls omitted, `{}` if there is none.
 *
 * @param clearing whether a null of the body's own fields clears them and is kept: the bodies of PATCH
 */
export function readJson(body: unknown, { clearing = false } = {}): Parsed<unknown> {
  const problems = unusableParts(body);
  if (problems.length > 0) return { problems };
  return { value: clearing ? withClearedFields(body ?? {}) : withoutNulls(body ?? {}) };
}

/** Every problem of a value at once, or the value as the schema reads it. */
export function parseWith<T>(schema: z.ZodType<T>, input: unknown): Parsed<T> {
  const problems = unusableParts(input);
  if (problems.length > 0) return { problems };
  const result = schema.safeParse(input, { error: wordsFor });
  return result.success ? { value: result.data } : { problems: problemsOf(result.error, input) };
}

/** `path: text`, as the entries of `errors` are written. */
export const problemLine = ({ path, message }: Problem): string => `${path === '' ? 'body' : path}: ${message}`;

/** A 400 that names everything wrong with a request. */
export function invalidRequest(problems: readonly Problem[], subject?: 'query'): Failure {
  const sorted = [...problems].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return new Failure('invalid', 'The request is not valid', sorted, undefined, subject);
}
