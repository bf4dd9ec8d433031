import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import type { Db } from '../../client.js';
import { endAddedGroups, isAdded } from './added-groups.js';
import { announceBatch } from './events.js';

/** How a batch stands after it was to end. */
export interface Finish {
  /** Not a final one if calls are open; null: the batch has been deleted. */
  readonly status: BatchStatus | null;
  /**
   * The batch's workflow has nothing to do until it is told, because what is left is not its own: added groups that go on, or
   * recipients that an open batch may still get.
   */
  readonly waits: boolean;
  /** This has ended it. */
  readonly ended?: true;
  /** It also waits for analyses after which recipients may be called again, no longer than until then. */
  readonly until?: Date;
}

/**
 * Ends a batch, if Postgres shows no call unsettled and none whose analysis may have it made again: `completed`, or `cancelled` if a cancel dropped a call that was
 * still to be called. One that has stopped by its own conditions is `completed`. Status, time and webhook are committed together.
 */
export async function finishBatch(db: Db, accountId: string, batchId: string): Promise<Finish> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      status: BatchStatus;
      open: boolean;
      addedGroups: number;
      dropped: boolean;
      stopped: boolean;
    }>`
      select b.status, b.open, b.added_groups as "addedGroups",
        b.cancel_dropped or b.calls_per_workflow is null as dropped, b.stopped_by is not null as stopped
      from batches b where b.id = ${batchId} and b.account_id = ${accountId}
      for no key update of b`.execute(tx);
    const [batch] = rows;
    if (batch === undefined) return { status: null, waits: false };
    if (!['running', 'cancelling'].includes(batch.status)) return { status: batch.status, waits: false };
    // A statement of its own: it sees what was added until the batch was locked.
    const { rows: left } = await sql<{ ofFile: boolean; added: boolean; until: Date | null }>`
      select exists (select 1 from calls c where c.batch_id = ${batchId} and not c.settled and not ${isAdded}) as "ofFile",
        exists (select 1 from calls c where c.batch_id = ${batchId} and not c.settled and ${isAdded}) as added,
        (select max(c.analysis_until) from calls c
          where c.batch_id = ${batchId} and c.analysis_until > clock_timestamp()) as until`.execute(tx);
    const { ofFile = false, added = false, until = null } = left[0] ?? {};
    const staysOpen = batch.open && batch.status === 'running';
    if (ofFile || added || staysOpen) {
      return { status: batch.status, waits: !ofFile && batch.status === 'running' };
    }
    if (until !== null && batch.status === 'running') return { status: batch.status, waits: true, until };
    // A batch that was cancelled before its file was read has dropped all its recipients.
    const status = batch.status === 'cancelling' && batch.dropped && !batch.stopped ? 'cancelled' : 'completed';
    await sql`
      update batches set status = ${status}, completed_at = clock_timestamp(), updated_at = clock_timestamp(),
        paused = false, paused_reason = null, paused_details = null, open = false
      where id = ${batchId}`.execute(tx);
    await announceBatch(tx, batchId, 'batchcall-completed');
    if (batch.status === 'cancelling' && batch.addedGroups > 0) await endAddedGroups(tx, batchId);
    return { status, waits: false, ended: true };
  });
}
