import type { EndReason } from '../call/end-reasons.js';

interface Stop {
  /** Of those who were not called. */
  readonly reason: EndReason;
  /** How `stoppedBy` goes on in a sentence of the reference. */
  readonly meaning: string;
}

/**
 * What ends a batch before everybody has been called. Its database side is `reached_stop` (db/functions/00-reached-stops.sql) for
 * those that are looked for, and `stopBatch` (db/queries/batches/stop.ts) for any.
 */
export const stops = {
  answered: { reason: 'stopped_after_answered', meaning: '`stopAfter.answered` calls were answered' },
  success: { reason: 'stopped_after_success', meaning: '`stopAfter.success` calls were a success' },
  until: { reason: 'stopped_at_until', meaning: '`until` had come' },
  maxCost: { reason: 'stopped_at_max_cost', meaning: 'its calls had cost `maxCost`' },
} as const satisfies Readonly<Record<string, Stop>>;

export type StoppedBy = keyof typeof stops;

export const stopNames = Object.keys(stops) as [StoppedBy, ...StoppedBy[]];

/** A name as the database gives it; null: the batch was not stopped. */
export const asStoppedBy = (text: string | null): StoppedBy | null => stopNames.find((name) => name === text) ?? null;

/** Why a recipient of a batch is not called any more: it was stopped, or else cancelled. */
export const reasonOfDropped = (stoppedBy: StoppedBy | null): EndReason =>
  stoppedBy === null ? 'batch_cancelled' : stops[stoppedBy].reason;

/** Most answers or successes that a batch can be told to stop after. */
export const mostBeforeStop = 10_000_000;

/** How far ahead `until` can lie, in days: a schedule can lie a year ahead. */
export const mostDaysUntil = 731;

/** What is wrong with the instant at which a batch is to stop; null: nothing. */
export function untilProblem(until: string, now: Date, startsAt: Date | null): string | null {
  const at = Date.parse(until);
  if (at <= now.getTime()) return 'must lie ahead';
  if (startsAt !== null && at <= startsAt.getTime()) return `must be after the start at ${startsAt.toISOString()}`;
  return at > now.getTime() + mostDaysUntil * 86_400_000 ? `must be at most ${mostDaysUntil} days ahead` : null;
}
