import { sql } from 'kysely';
import { isFinished } from '../../../domain/batch/batch-call.js';
import type { changedFields } from '../../../domain/batch/form-fields.js';
import type { BatchForm } from '../../../domain/batch/form.js';
import type { Db } from '../../client.js';
import { forgetPreDial } from '../dialer/pre-dial.js';
import { lockBatch } from './control.js';
import { stopReached } from './stop.js';
import { settingsColumns, startColumns } from './settings.js';
import { addToOutbox } from '../outbox.js';

/** What is to be changed in a batch. Omitted: as it is; null: cleared, and with `schedule` that it starts now. */
export type BatchChange = Partial<Pick<BatchForm, keyof typeof changedFields | 'retry'>>;

/**
 * The result of a change: `finished` if it asks for something of a batch that is over, `started` if it would move
 * a start that has been, `stopped` if it would change a stop condition of a batch that has come to one, `unknown` if the
 * account has no such batch.
 */
export type ChangeResult = 'done' | 'finished' | 'started' | 'stopped' | 'unknown';

/** Whether the workflow of the batch has to look at what was changed. */
export const isTold = ({ schedule, callingWindow, open, stopAfter, maxCost, until }: BatchChange): boolean =>
  [schedule, callingWindow, stopAfter, maxCost, until].some((changed) => changed !== undefined) || open === false;

const stillToStart: readonly string[] = ['parsing', 'scheduled'];

/**
 * Commits a change of a batch, all of it or nothing, and tells its workflow of a moved start or calling window through
 * the outbox. A changed window holds the batch (`window_moving`) until the queue has been moved to it.
 *
 * @param now start of a batch whose schedule is cleared
 * @param unscheduledZone zone of a batch without a schedule
 */
export async function changeBatch(
  tx: Db,
  accountId: string,
  batchId: string,
  change: BatchChange,
  { now, unscheduledZone }: { readonly now: Date; readonly unscheduledZone: string },
): Promise<ChangeResult> {
  const batch = await lockBatch(tx, accountId, batchId);
  if (batch === null) return 'unknown';
  const { name, description, schedule, ...aboutCalls } = change;
  const columns = settingsColumns(aboutCalls);
  if (isFinished(batch.status) && (Object.keys(columns).length > 0 || schedule !== undefined)) return 'finished';
  if (schedule !== undefined && !stillToStart.includes(batch.status)) return 'started';
  const changesStops = [change.stopAfter, change.until, change.maxCost].some((changed) => changed !== undefined);
  if (batch.stoppedBy !== null && changesStops) return 'stopped';
  await tx
    .updateTable('batches')
    .set({
      updated_at: sql<Date>`clock_timestamp()`,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(schedule === undefined ? {} : startColumns(schedule, now, unscheduledZone)),
      ...columns,
      ...(change.callingWindow === undefined ? {} : { window_moving: true }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .execute();
  if (change.preDial !== undefined) await forgetPreDial(tx, batchId);
  // In this transaction, so that no gate lets a call out between the two.
  if (change.stopAfter !== undefined || change.maxCost !== undefined) await stopReached(tx, [batchId]);
  if (isTold(change)) {
    await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
  }
  return 'done';
}
