import { sql } from 'kysely';
import {
  asBatchStatus,
  cancelModeAfter,
  isFinished,
  statusesBefore,
  type BatchStatus,
  type CancelMode,
} from '../../../domain/batch/batch-call.js';
import { asStoppedBy, type StoppedBy } from '../../../domain/batch/stops.js';
import type { Db } from '../../client.js';
import { batchObstacle } from './obstacle.js';
import { restartAbandonedCount } from '../dialer/abandoned-rate.js';
import { addToOutbox } from '../outbox.js';
import type { PauseReason } from '../../../domain/batch/pause-reasons.js';

/**
 * What became of an order to a batch: `done`; `unchanged` if the batch was already so; `finished` if nothing more
 * can be ordered; `unknown` if the account has no such batch.
 */
export type ControlResult = 'done' | 'unchanged' | 'finished' | 'unknown';

const instant = sql<Date>`clock_timestamp()`;

interface ControlledBatch {
  readonly status: BatchStatus;
  readonly cancelMode: CancelMode | null;
  readonly paused: boolean;
  /** Which of its stop conditions it has come to; null: none. */
  readonly stoppedBy: StoppedBy | null;
}

/** The batch, locked until the transaction ends: orders to one batch wait for each other. */
export async function lockBatch(tx: Db, accountId: string, batchId: string): Promise<ControlledBatch | null> {
  const row = await tx
    .selectFrom('batches')
    .select(['status', 'cancel_mode', 'paused', 'stopped_by'])
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  const { cancel_mode: mode } = row;
  return {
    status: asBatchStatus(row.status),
    cancelMode: mode === 'graceful' || mode === 'immediate' ? mode : null,
    paused: row.paused,
    stoppedBy: asStoppedBy(row.stopped_by),
  };
}

/** Status of a batch, locked until the transaction ends; null if there is none. */
export async function lockBatchToDelete(tx: Db, accountId: string, batchId: string): Promise<BatchStatus | null> {
  const row = await tx
    .selectFrom('batches')
    .select('status')
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : asBatchStatus(row.status);
}

/**
 * Commits a cancel. From then on every claim and gate refuses the batch; the workflow is told through the outbox and
 * clears up. A cancel under way can be made immediate, and is not made graceful again.
 */
export async function requestCancel(
  tx: Db,
  accountId: string,
  batchId: string,
  mode: CancelMode,
): Promise<ControlResult> {
  const batch = await lockBatch(tx, accountId, batchId);
  if (batch === null) return 'unknown';
  if (isFinished(batch.status)) return 'finished';
  const next = cancelModeAfter(batch.cancelMode, mode);
  if (batch.status === 'cancelling' && batch.cancelMode === next) return 'unchanged';
  await tx
    .updateTable('batches')
    .set({ status: 'cancelling', cancel_mode: next, updated_at: instant })
    .where('id', '=', batchId)
    .where('status', 'in', [...statusesBefore('cancelling'), 'cancelling'])
    .execute();
  await addToOutbox(tx, { kind: 'signal', name: 'cancel', workflowId: batchId, input: {} });
  return 'done';
}

/** Commits a pause: nothing of the batch is dialed from then on, live calls go on. */
export async function pauseBatch(tx: Db, accountId: string, batchId: string): Promise<ControlResult> {
  const batch = await lockBatch(tx, accountId, batchId);
  if (batch === null) return 'unknown';
  if (isFinished(batch.status)) return 'finished';
  if (batch.paused) return 'unchanged';
  await tx
    .updateTable('batches')
    .set({
      paused: true,
      paused_reason: 'paused_by_user' satisfies PauseReason,
      paused_details: null,
      updated_at: instant,
    })
    .where('id', '=', batchId)
    .execute();
  return 'done';
}

/**
 * Ends a pause, also one that was not requested by a client. A running batch whose number, gateway, rule or agent cannot be used stays paused, for
 * that reason.
 */
export async function resumeBatch(tx: Db, accountId: string, batchId: string): Promise<ControlResult> {
  const batch = await lockBatch(tx, accountId, batchId);
  if (batch === null) return 'unknown';
  if (isFinished(batch.status)) return 'finished';
  if (!batch.paused) return 'unchanged';
  await restartAbandonedCount(tx, batchId);
  const obstacle = batch.status === 'running' ? await batchObstacle(tx, batchId) : null;
  await tx
    .updateTable('batches')
    .set({
      paused: obstacle !== null,
      paused_reason: obstacle?.reason ?? null,
      paused_details: obstacle?.details ?? null,
      updated_at: instant,
    })
    .where('id', '=', batchId)
    .execute();
  return 'done';
}

/** Lets an open batch complete: no more recipients are expected. */
export async function closeBatch(tx: Db, accountId: string, batchId: string): Promise<ControlResult> {
  const batch = await lockBatch(tx, accountId, batchId);
  if (batch === null) return 'unknown';
  if (isFinished(batch.status)) return 'finished';
  const { numUpdatedRows } = await tx
    .updateTable('batches')
    .set({ open: false, updated_at: instant })
    .where('id', '=', batchId)
    .where('open', '=', true)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return 'unchanged';
  await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
  return 'done';
}
