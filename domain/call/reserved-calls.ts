import type { Problem } from '../errors.js';

/** Lines of an outbound gateway: all, and those that batch calls leave free for single calls and inbound ones. */
export interface Lines {
  readonly maxConcurrentCalls: number;
  readonly reservedCalls: number;
}

/**
 * A gateway leaves batch calls at least one line, or they would wait for ever.
 *
 * @param sent fields that the request names; what it does not touch is no problem of it
 * @returns the problem, at one of these fields, if there is one
 */
export function reservedCallsProblems(
  { maxConcurrentCalls, reservedCalls }: Lines,
  sent: readonly (keyof Lines)[],
): Problem[] {
  if (reservedCalls === 0 || reservedCalls < maxConcurrentCalls) return [];
  const problem = (path: keyof Lines, message: string): Problem[] => [
    { path, code: 'INVALID_VALUE', message: `${message}: batch calls need a line` },
  ];
  if (sent.includes('reservedCalls')) {
    return problem('reservedCalls', `must be less than maxConcurrentCalls, which is ${maxConcurrentCalls}`);
  }
  if (!sent.includes('maxConcurrentCalls')) return [];
  return problem('maxConcurrentCalls', `must be more than reservedCalls, which is ${reservedCalls}`);
}
