import { removePiece } from '../db/queries/batches/delete.js';
import { withHeartbeat } from './heartbeat.js';
import type { ActivityDeps } from './deps.js';

/** What the workflow that removes a deleted batch can cause. */
export const removeBatchActivities = ({ database: { db } }: ActivityDeps) => ({
  /** Removes everything that the batch has left, in pieces; one that was interrupted goes on with the rest. */
  removeBatchRows: ({ accountId, batchId }: { readonly accountId: string; readonly batchId: string }): Promise<void> =>
    withHeartbeat(async (signal) => {
      while (await removePiece(db, accountId, batchId)) signal.throwIfAborted();
    }),
});
