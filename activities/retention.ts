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
  type ExpiredBatch,
  takeExpiredBatch,
} from '../db/queries/upkeep/retention.js';
import { deleteOldRuns, deleteOldWaiting } from '../db/queries/campaigns/recipients.js';
import { withHeartbeat } from './heartbeat.js';
import { moveRecordings } from './recording-objects.js';
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

/** After so many failures the database is at fault, and the round is left to the next try. */
const mostFailures = 100;
/** Of the failures of one round, how many are logged one by one: a round that fails is tried again soon. */
const mostLogged = 20;
const tooMany = 'Too much could not be deleted that is old enough.';

/** How much a round deleted. */
export interface RetentionFindings {
  /** Batches whose data was deleted. */
  batches: number;
  /** Batches that were deleted altogether. */
  deleted: number;
}

/**
 * One round: deletes what is older than it may be. In pieces, each in its own transaction, so that one that is
 * interrupted goes on with the rest, and nothing waits for it. A batch or an account at which it fails does not keep the
 * data of the others.
 *
 * @param signal ends it between two pieces
 * @throws AggregateError at the end, if something could not be deleted
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
  const agoOf = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const failures: Error[] = [];
  const surviving = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    await work().catch((cause: unknown) => failures.push(new Error(`${what} could not be deleted`, { cause })));
    if (failures.length >= mostFailures) throw new AggregateError(failures, tooMany);
  };
  await surviving('answers to an Idempotency-Key', () =>
    repeat(() => deleteOldAnswers(db, new Date(now.getTime() - answersKeptMs))),
  );
  const { data, recordings, history } = keep;
  if (history !== undefined) {
    const before = agoOf(history);
    for (let batch = await nextOldBatch(db, before, null); batch !== null && !stopped();) {
      const old = batch;
      await surviving(`batch ${old.batchId} of ${old.accountId}`, async () => {
        if (await deleteOldBatch(db, old)) found.deleted += 1;
      });
      batch = await nextOldBatch(db, before, old);
    }
    for (const accountId of await accountsWithHistory(db)) {
      await surviving(`old calls of ${accountId}`, () => repeat(() => deleteOldSingleCalls(db, accountId, before)));
    }
  }
  if (recordings !== undefined) {
    await surviving('old recordings', () => repeat(() => deleteOldRecordings(db, agoOf(recordings))));
  }
  if (data !== undefined) {
    const before = agoOf(data);
    const failed: string[] = [];
    for (let batch = await takeExpiredBatch(db, before, failed); batch !== null && !stopped();) {
      const expired = batch;
      const failuresBefore = failures.length;
      await surviving(`the data of ${expired.batchId} of ${expired.accountId}`, async () => {
        if (await emptyBatch(db, expired, repeat, stopped)) found.batches += 1;
      });
      if (failures.length > failuresBefore) failed.push(expired.batchId);
      batch = await takeExpiredBatch(db, before, failed);
    }
    await surviving('the data of old single calls', () => repeat(() => emptySingleCalls(db, before)));
    await surviving('old recipients of campaigns', () => repeat(() => deleteOldWaiting(db, before)));
    await surviving('old runs of campaigns', () => repeat(() => deleteOldRuns(db, before)));
    await surviving('old webhook deliveries', () => repeat(() => deleteOldDeliveries(db, before)));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be deleted that is old enough.');
  return found;
}

/** Empties a batch and its calls. @returns false if it was stopped before the end */
async function emptyBatch(
  db: Db,
  batch: ExpiredBatch,
  repeat: (piece: () => Promise<boolean>) => Promise<void>,
  stopped: () => boolean,
): Promise<boolean> {
  for (let after: number | null = -1; after !== null && !stopped();) {
    after = await emptyCallsOfBatch(db, batch, after);
  }
  await repeat(() => emptyRejectedRows(db, batch));
  await repeat(() => emptyCorrectedRows(db, batch));
  if (stopped()) return false;
  await endEmptying(db, batch);
  return true;
}

export const retentionActivities = ({
  database: { db },
  retentionDays,
  recordingRetentionDays,
  historyDays,
  recordings,
  kickOutbox,
  logger,
}: ActivityDeps) => ({
  deleteExpired: (): Promise<RetentionFindings> =>
    withHeartbeat(async (signal) => {
      const keep = { data: retentionDays, recordings: recordingRetentionDays, history: historyDays };
      const expired = deleteExpired(db, keep, new Date(), signal).catch((error: unknown) => {
        const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
        for (const failure of failures.slice(0, mostLogged))
          logger.error({ err: failure, failures: failures.length }, 'a part of what is old could not be deleted');
        throw error;
      });
      // What cannot be deleted from the database holds up no recording, among them those of persons who were erased.
      await expired.then(
        // The workflows that remove what the deleted batches have left.
        ({ deleted }) => (deleted > 0 ? kickOutbox() : undefined),
        () => undefined,
      );
      if (recordings !== undefined) {
        const objects = await moveRecordings(db, recordings, new Date(), signal).catch((error: unknown) => {
          logger.error({ err: error }, 'recordings could not be moved to the object store or deleted there');
          throw error;
        });
        if (objects.moved > 0 || objects.deleted > 0) logger.info(objects, 'recordings were moved or deleted');
      }
      const found = await expired;
      // Half done, it must be done again: by a worker that is not being stopped.
      signal.throwIfAborted();
      if (found.batches > 0 || found.deleted > 0) {
        logger.info(found, 'old batches, or their data, were deleted: their retention period has passed');
      }
      return found;
    }),
});
