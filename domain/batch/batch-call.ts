import { recordStatuses, settledStatuses, type RecordStatus } from '../call/call.js';

/** What a batch can be (docs/conformance.md, Batch call status). */
export const batchStatuses = [
  'parsing',
  'parse_failed',
  'scheduled',
  'running',
  'cancelling',
  'cancelled',
  'completed',
] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/**
 * Every way from one status to the next; there is no other. A batch begins at `parsing`.
 *
 * `cancelling` ends `completed` if no call was dropped: the last call had ended when the cancel came.
 */
const nextOf: Readonly<Record<BatchStatus, readonly BatchStatus[]>> = {
  parsing: ['running', 'scheduled', 'parse_failed', 'cancelling'],
  scheduled: ['running', 'cancelling'],
  running: ['completed', 'cancelling'],
  cancelling: ['cancelled', 'completed'],
  parse_failed: [],
  cancelled: [],
  completed: [],
};

/** The statuses from which a batch may become this one: the `where status in (…)` of the statement that makes it so. */
export const statusesBefore = (next: BatchStatus): readonly BatchStatus[] =>
  batchStatuses.filter((status) => nextOf[status].includes(next));

/** Statuses in which nothing more will happen to a batch. */
export const finishedStatuses: readonly BatchStatus[] = batchStatuses.filter((status) => nextOf[status].length === 0);

export const isFinished = (status: BatchStatus): boolean => finishedStatuses.includes(status);

/** Statuses in which a cancel is accepted; asking again while it is under way changes nothing. */
export const cancellableStatuses: readonly BatchStatus[] = batchStatuses.filter((status) => !isFinished(status));

/** A status as the database gives it. @throws Error for a text that is none */
export function asBatchStatus(text: string): BatchStatus {
  const status = batchStatuses.find((known) => known === text);
  if (status === undefined) throw new Error(`${JSON.stringify(text)} is no status of a batch`);
  return status;
}

/** How a cancel treats calls in progress: `graceful` lets them finish, `immediate` hangs up. */
export const cancelModes = ['graceful', 'immediate'] as const;
export type CancelMode = (typeof cancelModes)[number];

/** A cancel can be made harder and never softer. */
export const cancelModeAfter = (current: CancelMode | null, asked: CancelMode): CancelMode =>
  current === 'immediate' ? 'immediate' : asked;

/** How many calls of a batch have each status. */
export type CallCounts = Readonly<Record<RecordStatus, number>>;

/** Calls by status, and who answered those that are `answered`. The two are part of `answered`: no sum has them beside it. */
export interface BatchCounts extends CallCounts {
  readonly human: number;
  readonly machine: number;
}

export const noCalls: BatchCounts = Object.freeze({
  pending: 0,
  dialing: 0,
  'in-progress': 0,
  retrying: 0,
  answered: 0,
  failed: 0,
  'not-answered': 0,
  rejected: 0,
  missed: 0,
  abandoned: 0,
  cancelled: 0,
  human: 0,
  machine: 0,
});

const sumOf = (counts: CallCounts, statuses: readonly RecordStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

export const totalOf = (counts: CallCounts): number => sumOf(counts, recordStatuses);

/**
 * How far a batch is, in whole percent from 0 to 100: the share of its calls of which nothing more will come. 100 is
 * said only when that is all of them; a batch whose file could not be used stays at 0.
 */
export function progressOf(status: BatchStatus, counts: CallCounts): number {
  if (status === 'parse_failed') return 0;
  if (isFinished(status)) return 100;
  const total = totalOf(counts);
  return total === 0 ? 0 : Math.floor((100 * sumOf(counts, settledStatuses)) / total);
}

/**
 * Share of the calls made to an end that were answered, 0 to 1 with four decimals; 0 while none has ended. Cancelled
 * calls were not made to an end and do not count.
 */
export function answerRateOf(counts: CallCounts): number {
  const ended = sumOf(counts, settledStatuses) - counts.cancelled;
  return ended === 0 ? 0 : Math.round((10_000 * counts.answered) / ended) / 10_000;
}
