import { sql } from 'kysely';
import { asStoppedBy, reasonOfDropped } from '../../../domain/batch/stops.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { Db } from '../../client.js';
import { wakeGateways } from '../dialer/wake-gateways.js';

/** Calls settled by one transaction: it holds the batch's row, which the outcomes of live calls wait for. */
const callsAtOnce = 2_000;

export interface CancelProgress {
  /** Calls settled by this step. */
  readonly settled: number;
  /** Calls are left that are not live: another step can settle some. */
  readonly more: boolean;
  /** Whether any call is unsettled still: live ones, after the last step. */
  readonly unsettled: boolean;
  /** Position of the last call that was settled: the next step goes on after it. */
  readonly last: number;
  /** The settled calls: bare UUIDs. */
  readonly dropped: readonly string[];
  /** Those of them that had been tried. */
  readonly tried: readonly string[];
  /** Why they were settled. */
  readonly reason: EndReason;
}

const beforeTheFirst = -1;
const nothingLeft: CancelProgress = {
  ...{ settled: 0, more: false, unsettled: false, last: beforeTheFirst, dropped: [], tried: [] },
  reason: reasonOfDropped(null),
};

/**
 * One step of a cancel, or of a stop, which is a cancel that ends `completed`: settles calls that are not live as `cancelled` and takes their attempts out of the queue; if
 * the cancel is immediate, orders live ones to be hung up. Doing it again does what is left.
 *
 * An attempt that is claimed but not dialed is not live: since the batch is `cancelling`, no gate will let it through.
 * Locks as everywhere: the batch, calls by id, attempts, counters (by the trigger).
 *
 * @param after position that the step before has come to: what it has settled is not read again
 */
export async function cancelStep(
  db: Db,
  accountId: string,
  batchId: string,
  after = beforeTheFirst,
): Promise<CancelProgress> {
  const { progress, gateway } = await db.transaction().execute(async (tx) => {
    const { rows: batches } = await sql<{ gateway: string; immediate: boolean; stoppedBy: string | null }>`
      select gateway_id as gateway, cancel_mode = 'immediate' as immediate, stopped_by as "stoppedBy" from batches
      where id = ${batchId} and account_id = ${accountId} and status = 'cancelling'
      for no key update`.execute(tx);
    const [batch] = batches;
    if (batch === undefined) return { progress: nothingLeft, gateway: null };

    // All calls are locked at once, in the order of their ids and before the counters, as everywhere: a dialer that commits the
    // end of a live call holds that call and waits for the counters.
    const { rows: locked } = await sql<{ id: string; idle: boolean }>`
      with idle as materialized (
        select c.id from calls c
        where c.batch_id = ${batchId} and not c.settled and c.position > ${after} and not exists (
          select 1 from call_attempts a
          where a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered'))
        order by c.position limit ${callsAtOnce}
      ),
      live as materialized (
        select a.call_id as id from call_attempts a
        where ${batch.immediate} and a.gateway_id = ${batch.gateway} and a.lane = ${batchId}
          and a.phase in ('dialing', 'ringing', 'answered')
      )
      select c.id, c.id in (select id from idle) as idle from calls c
      where c.id = any (array(select id from idle union all select id from live)) and not c.settled
      order by c.id for no key update of c`.execute(tx);
    const reason = reasonOfDropped(asStoppedBy(batch.stoppedBy));
    const idle = locked.filter((call) => call.idle).map(({ id }) => id);
    const { rows: settled } = await sql<{ id: string; position: number; tried: boolean }>`
      update calls c set status = 'cancelled', reason = ${reason}, next_attempt_at = null,
        ended_at = clock_timestamp(), updated_at = clock_timestamp()
      where c.id = any (${idle}::uuid[])
      returning c.id, c.position, c.attempts_made > 0 as tried`.execute(tx);
    if (settled.length > 0) {
      // A separate statement, so that it sees what was queued until the calls were locked.
      await sql`
        delete from call_attempts
        where call_id = any (${settled.map((call) => call.id)}::uuid[]) and phase in ('queued', 'claimed')`.execute(tx);
      await sql`update batches set cancel_dropped = true where id = ${batchId} and not cancel_dropped`.execute(tx);
    }
    if (batch.immediate) {
      await sql`
        update call_attempts set hang_up_at = clock_timestamp(), hang_up_reason = 'ended_by_api'
        where gateway_id = ${batch.gateway} and lane = ${batchId} and phase in ('dialing', 'ringing', 'answered')
          and hang_up_at is null`.execute(tx);
    }
    // The counters tell it at once. Among the calls, all that were settled before might be walked over for it.
    const { rows: left } = await sql<{ unsettled: boolean }>`
      select pending + dialing + in_progress + retrying > 0 as unsettled from batch_counters
      where batch_id = ${batchId}`.execute(tx);
    const progress: CancelProgress = {
      settled: settled.length,
      more: settled.length === callsAtOnce,
      unsettled: left[0]?.unsettled === true,
      last: Math.max(after, ...settled.map(({ position }) => position)),
      dropped: settled.map(({ id }) => id),
      reason,
      tried: settled.flatMap(({ id, tried }) => (tried ? [id] : [])),
    };
    // Freed slots are for other batches; orders to hang up are for the dialer that has the leg.
    return { progress, gateway: settled.length > 0 || batch.immediate ? batch.gateway : null };
  });
  if (gateway !== null) await wakeGateways(db, [gateway]);
  return progress;
}
