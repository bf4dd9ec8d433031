import { sql } from 'kysely';
import type { Db } from '../../client.js';

/** How many calls of a batch were answered, and how many of these no agent took. */
export interface AnsweredCalls {
  readonly batchId: string;
  readonly answered: number;
  readonly abandoned: number;
}

/** Too many, of batch_counters aliased `k`: more than 3 % of at least 100 (design of the dialer; rules on silent calls). */
const tooMany = sql`k.answered_in_window >= 100 and k.abandoned_in_window * 100 > k.answered_in_window * 3`;

/**
 * Counts answered calls of batches whose counters the transaction has locked.
 *
 * @returns batches of which too many answered calls have been abandoned
 */
export async function countAnsweredCalls(tx: Db, calls: readonly AnsweredCalls[]): Promise<string[]> {
  if (calls.length === 0) return [];
  const { rows } = await sql<{ id: string; exceeded: boolean }>`
    -- prepared
    update batch_counters k
    set answered_in_window = k.answered_in_window + z.answered, abandoned_in_window = k.abandoned_in_window + z.abandoned
    from unnest(${calls.map((call) => call.batchId)}::text[], ${calls.map((call) => call.answered)}::integer[],
      ${calls.map((call) => call.abandoned)}::integer[]) as z (batch_id, answered, abandoned)
    where k.batch_id = z.batch_id
    returning k.batch_id as id, (${tooMany}) as exceeded`.execute(tx);
  return rows.filter((row) => row.exceeded).map((row) => row.id);
}

/**
 * Pauses these batches, in a separate transaction, because a batch is locked before its calls and counters everywhere. A
 * batch that was resumed since it was counted stays as it is: its count started again.
 */
export async function pauseForAbandonedCalls(db: Db, batchIds: readonly string[]): Promise<void> {
  await sql`
    update batches b set paused = true, paused_reason = 'abandoned_rate', updated_at = clock_timestamp(),
      paused_details = k.abandoned_in_window || ' of ' || k.answered_in_window
        || ' answered calls were abandoned, because no agent took them. Resume the batch call when agents take calls again.'
    from batch_counters k
    where b.id = any (${batchIds}::text[]) and k.batch_id = b.id and ${tooMany}
      and b.status = 'running' and not b.paused`.execute(db);
}

/** Restarts the count if the batch is paused for its abandoned calls. Its row is locked. */
export async function restartAbandonedCount(tx: Db, batchId: string): Promise<void> {
  await sql`
    update batch_counters k set answered_in_window = 0, abandoned_in_window = 0
    from batches b
    where b.id = ${batchId} and b.paused_reason = 'abandoned_rate' and k.batch_id = b.id`.execute(tx);
}
