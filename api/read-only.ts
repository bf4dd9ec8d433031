import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Problem } from '../domain/errors.js';

/** Schema of a read-only field in the body of a change: see `readOnlyProblems`. */
export const readOnly = () => z.unknown().optional().describe('Read-only: accepted where it is sent back unchanged');

/**
 * Read-only fields of a resource that were not sent back as they are. Clients get a resource, change it and send all of
 * it: that is fine; meaning to change what cannot be changed is not.
 *
 * @param sent the body of the change
 * @param current the resource as it is answered now
 * @param fields names of the read-only ones
 */
export function readOnlyProblems<Field extends string>(
  sent: Readonly<Partial<Record<Field, unknown>>>,
  current: Readonly<Partial<Record<Field, unknown>>>,
  fields: readonly Field[],
): Problem[] {
  return fields
    .filter((field) => (sent[field] ?? undefined) !== undefined && !isDeepStrictEqual(sent[field], current[field]))
    .map((path) => ({ path, code: 'INVALID_VALUE', message: 'is read-only and cannot be changed' }));
}
