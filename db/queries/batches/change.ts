import { sql } from 'kysely';
import { isFinished } from '../../../domain/batch/batch-call.js';
import type { BatchForm } from '../../../domain/batch/form.js';
import type { Db } from '../../client.js';
import { lockBatch } from './control.js';
import { addToOutbox } from '../outbox.js';

/** What is to be changed in a batch. Left out: as it is; null: cleared. */
export interface BatchChange {
  readonly name?: string;
  readonly description?: string | null;
  /** null: it starts now. */
  readonly schedule?: BatchForm['schedule'];
  readonly callingWindow?: BatchForm['callingWindow'];
  readonly maxConcurrentCalls?: number | null;
  readonly retry?: BatchForm['retry'];
}

/**
 * What became of a change: `finished` where it asks for something of a batch that is over, `started` where it would move
 * a start that has been, `unknown` where the account has no such batch.
 */
export type ChangeResult = 'done' | 'finished' | 'started' | 'unknown';

const stillToStart: readonly string[] = ['parsing', 'scheduled'];

/**
 * Commits a change of a batch, all of it or nothing, and has its workflow told of a moved start or calling window through
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
  const { name, description, schedule, callingWindow, maxConcurrentCalls, retry } = change;
  const aboutCalls = [callingWindow, maxConcurrentCalls, retry].some((value) => value !== undefined);
  if (isFinished(batch.status) && (aboutCalls || schedule !== undefined)) return 'finished';
  if (schedule !== undefined && !stillToStart.includes(batch.status)) return 'started';
  await tx
    .updateTable('batches')
    .set({
      updated_at: sql<Date>`clock_timestamp()`,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(schedule === undefined
        ? {}
        : {
            timing: schedule === null ? 'immediate' : 'scheduled',
            timezone: schedule?.timezone ?? unscheduledZone,
            scheduled_date: schedule?.date ?? null,
            scheduled_time: schedule?.time ?? null,
            starts_at: schedule?.startsAt ?? now,
          }),
      ...(callingWindow === undefined
        ? {}
        : { calling_window: callingWindow === null ? null : JSON.stringify(callingWindow), window_moving: true }),
      ...(maxConcurrentCalls === undefined ? {} : { max_concurrent_calls: maxConcurrentCalls }),
      ...(retry === undefined
        ? {}
        : {
            retry_enabled: retry !== null,
            retry_on: [...(retry?.retryOn ?? [])],
            retry_delays_seconds: [...(retry?.retryDelays ?? [])],
          }),
    })
    .where('account_id', '=', accountId)
    .where('id', '=', batchId)
    .execute();
  if (schedule !== undefined || callingWindow !== undefined) {
    await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
  }
  return 'done';
}
