import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../domain/errors.js';

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Whether what was sent is what is there; to clear what is empty changes nothing. */
const isSame = (sent: unknown, current: unknown): boolean =>
  isDeepStrictEqual(sent, current) || (sent === null && isNothing(current));

/**
 * Whether an updatedAt is one that an earlier answer had: it moves by itself, so a client that changes a resource twice
 * sends back the one that it was answered first.
 */
const isEarlierUpdate = (sent: unknown, { createdAt, updatedAt }: Readonly<Record<string, unknown>>): boolean =>
  typeof sent === 'string' &&
  typeof createdAt === 'string' &&
  typeof updatedAt === 'string' &&
  sent.length === updatedAt.length &&
  sent >= createdAt &&
  sent <= updatedAt;

/**
 * Fields of a PATCH that cannot be changed and would be: sent back as they are or were, they are accepted.
 *
 * @param sent the body, as the operation's schema reads it
 * @param current the resource as it is answered
 */
export const changedReadOnly = (
  sent: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  message = 'cannot be changed',
): Problem[] =>
  fields
    .filter((field) => sent[field] !== undefined && !isSame(sent[field], current[field]))
    .filter((field) => field !== 'updatedAt' || !isEarlierUpdate(sent.updatedAt, current))
    .map((path) => ({ path, code: 'INVALID_VALUE', message }));

/**
 * What a PATCH says of a field that has two names. A client that changes one of them in what it was answered sends the
 * other back as it was: the one that differs from what is there counts.
 *
 * @returns undefined if neither name was sent; `disagree` if both were, with different new values
 */
export function ofTwoNames<Value>(
  one: Value | undefined,
  other: Value | undefined,
  current: unknown,
): { readonly value: Value | undefined } | 'disagree' {
  if (one === undefined) return { value: other };
  if (other === undefined) return { value: one };
  if (isSame(one, other) || isSame(other, current)) return { value: one };
  return isSame(one, current) ? { value: other } : 'disagree';
}
