import type { Problem } from '../domain/errors.js';
import type { AppDeps } from './operation.js';
import { valueAt } from './validation.js';

/** A recording that silently is not made would be found missing when it is needed: refused instead. */
export function recordingProblems(body: unknown, field: string, { env }: AppDeps): Problem[] {
  if (valueAt(body, [field]) !== true || env.OUTDIAL_PROVIDER === 'livekit') return [];
  const message = 'cannot be honoured: calls of the simulator have no sound to record';
  return [{ path: field, code: 'INVALID_VALUE', message }];
}
