import type { Db } from '../db/client.js';
import {
  deleteOldAnswers,
  deleteOldDeliveries,
  emptyCallsOfBatch,
  emptyRejectedRows,
  emptySingleCalls,
  endEmptying,
  takeExpiredBatch,
} from '../db/queries/retention.js';
import { beating } from './beating.js';
import type { ActivityDeps } from './deps.js';

const dayMs = 86_400_000;
/** Answers to Idempotency-Keys are kept this long (spec/api.md, Everywhere). */
const answersKeptMs = dayMs;

/** How much a round deleted. */
export interface RetentionFindings {
  batches: number;
}

/**
 * One round: deletes what is older than it may be. In pieces, each a transaction of its own, so that one that is interrupted
 * goes on with what is left and nobody waits for it.
 *
 * @param keepDays OUTDIAL_RETENTION_DAYS; left out: what calls leave is kept
 * @param signal ends it between two pieces
 */
export async function deleteExpired(
  db: Db,
  keepDays: number | undefined,
  now: Date,
  signal: AbortSignal,
): Promise<RetentionFindings> {
  const found: RetentionFindings = { batches: 0 };
  const stopped = (): boolean => signal.aborted;
  const repeat = async (piece: () => Promise<boolean>): Promise<void> => {
    while (!stopped() && (await piece()));
  };
  await repeat(() => deleteOldAnswers(db, new Date(now.getTime() - answersKeptMs)));
  if (keepDays === undefined) return found;
  const before = new Date(now.getTime() - keepDays * dayMs);
  for (let batch = await takeExpiredBatch(db, before); batch !== null && !stopped();) {
    const expired = batch;
    await repeat(() => emptyCallsOfBatch(db, expired));
    await repeat(() => emptyRejectedRows(db, expired));
    if (stopped()) return found;
    await endEmptying(db, expired);
    found.batches += 1;
    batch = await takeExpiredBatch(db, before);
  }
  await repeat(() => emptySingleCalls(db, before));
  await repeat(() => deleteOldDeliveries(db, before));
  return found;
}

export const retentionActivities = ({ database: { db }, retentionDays, logger }: ActivityDeps) => ({
  deleteExpired: (): Promise<RetentionFindings> =>
    beating(async (signal) => {
      const found = await deleteExpired(db, retentionDays, new Date(), signal);
      // Half done, it must be done again: by a worker that is not being stopped.
      signal.throwIfAborted();
      if (found.batches > 0) logger.info(found, 'the data of batches was deleted: its time was over');
      return found;
    }),
});
