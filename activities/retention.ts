import type { Db } from '../db/client.js';
import {
  accountsWithHistory,
  deleteOldBatch,
  deleteOldSingleCalls,
  nextOldBatch,
} from '../db/queries/upkeep/history.js';
import { deleteOldRecordings } from '../db/queries/calls/recordings.js';
import {
  deleteOldAnswers,
  deleteOldDeliveries,
  emptyCallsOfBatch,
  emptyCorrectedRows,
  emptyRejectedRows,
  emptySingleCalls,
  endEmptying,
  takeExpiredBatch,
} from '../db/queries/upkeep/retention.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps } from './deps.js';

const dayMs = 86_400_000;
/** Answers to Idempotency-Keys are kept this long (docs/conformance.md, Idempotency-Key). */
const answersKeptMs = dayMs;

/** How long data is kept, in days; omitted: for ever. */
export interface KeepDays {
  /** OUTDIAL_RETENTION_DAYS */
  readonly data?: number | undefined;
  /** OUTDIAL_RECORDING_RETENTION_DAYS; recordings go with the rest at the latest. */
  readonly recordings?: number | undefined;
  /** OUTDIAL_HISTORY_DAYS: of whole batches and calls. */
  readonly history?: number | undefined;
}

/** How much a round deleted. */
export interface RetentionFindings {
  /** Batches whose data was deleted. */
  batches: number;
  /** Batches that were deleted altogether. */
  deleted: number;
}

/**
 * One round: deletes what is older than it may be. In pieces, each in its own transaction, so that one that is
 * interrupted goes on with the rest, and nothing waits for it.
 *
 * @param signal ends it between two pieces
 */
export async function deleteExpired(
  db: Db,
  keep: KeepDays,
  now: Date,
  signal: AbortSignal,
): Promise<RetentionFindings> {
  const found: RetentionFindings = { batches: 0, deleted: 0 };
  const stopped = (): boolean => signal.aborted;
  const repeat = async (piece: () => Promise<boolean>): Promise<void> => {
    while (!stopped() && (await piece()));
  };
  await repeat(() => deleteOldAnswers(db, new Date(now.getTime() - answersKeptMs)));
  const agoOf = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const { data, recordings, history } = keep;
  if (history !== undefined) found.deleted = await deleteHistory(db, agoOf(history), repeat, stopped);
  if (recordings !== undefined) await repeat(() => deleteOldRecordings(db, agoOf(recordings)));
  if (data === undefined) return found;
  const before = agoOf(data);
  for (let batch = await takeExpiredBatch(db, before); batch !== null && !stopped();) {
    const expired = batch;
    for (let after: number | null = -1; after !== null && !stopped();) {
      after = await emptyCallsOfBatch(db, expired, after);
    }
    await repeat(() => emptyRejectedRows(db, expired));
    await repeat(() => emptyCorrectedRows(db, expired));
    if (stopped()) return found;
    await endEmptying(db, expired);
    found.batches += 1;
    batch = await takeExpiredBatch(db, before);
  }
  await repeat(() => emptySingleCalls(db, before));
  await repeat(() => deleteOldDeliveries(db, before));
  return found;
}

/** Deletes whole batches and calls that ended before this instant. @returns how many batches */
async function deleteHistory(
  db: Db,
  before: Date,
  repeat: (piece: () => Promise<boolean>) => Promise<void>,
  stopped: () => boolean,
): Promise<number> {
  let deleted = 0;
  for (let batch = await nextOldBatch(db, before, null); batch !== null && !stopped();) {
    if (await deleteOldBatch(db, batch)) deleted += 1;
    batch = await nextOldBatch(db, before, batch);
  }
  for (const accountId of await accountsWithHistory(db)) {
    await repeat(() => deleteOldSingleCalls(db, accountId, before));
  }
  return deleted;
}

export const retentionActivities = ({
  database: { db },
  retentionDays,
  recordingRetentionDays,
  historyDays,
  kickOutbox,
  logger,
}: ActivityDeps) => ({
  deleteExpired: (): Promise<RetentionFindings> =>
    withHeartbeat(async (signal) => {
      const found = await deleteExpired(
        db,
        { data: retentionDays, recordings: recordingRetentionDays, history: historyDays },
        new Date(),
        signal,
      );
      // The workflows that remove what the deleted batches have left.
      if (found.deleted > 0) kickOutbox();
      // Half done, it must be done again: by a worker that is not being stopped.
      signal.throwIfAborted();
      if (found.batches > 0 || found.deleted > 0) {
        logger.info(found, 'old batches, or their data, were deleted: their retention period has passed');
      }
      return found;
    }),
});
