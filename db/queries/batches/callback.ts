import { sql } from 'kysely';
import type { BatchStatus } from '../../../domain/batch/batch-call.js';
import { groupOf } from '../../../domain/batch/fan-out.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import { promiseBreakers } from '../../../domain/call/end-reasons.js';
import type { Db } from '../../client.js';
import { keepUsage, tellWorkflows } from './call-again.js';
import { timeByWindow } from './window.js';

/**
 * What became of the request: `planned`; `unknown` if the batch has no such record, `not_running` if the batch does not run,
 * `never_called` if the recipient has not been called, and is not being called, `being_ended` if its live call is being hung up for a
 * reason that breaks promises, `undialed` if its next attempt was ended before its INVITE, `gone` if its data have been deleted,
 * `do_not_call` if its number is on that list. Whatever is not `planned` is to be rolled back.
 */
export type CallbackPlanned =
  | { readonly outcome: 'planned'; readonly gatewayId: string }
  | {
      readonly outcome:
        'unknown' | 'not_running' | 'never_called' | 'being_ended' | 'undialed' | 'gone' | 'do_not_call';
    };

interface CallOfRecord {
  readonly settled: boolean;
  readonly attempts: number;
  /** The attempt that has been promised last; null: none. */
  readonly promised: number | null;
  readonly position: number;
  readonly gatewayId: string;
  readonly gone: boolean;
  readonly listed: boolean;
}

/**
 * Has a recipient called once more at an instant, outside the retry plan: one whose call is over becomes an open one again, of one
 * that waits for a retry the next attempt is moved, and one that is live is called after this call. The batch is locked against
 * its end, and the call's lock decides between this and the gate; a dialer that has claimed the attempt loses it to the queue.
 * Locks as everywhere: the batch, the call, its attempts, counters (by the trigger).
 *
 * @param callId the bare UUID
 * @param now instant from which calling windows are looked for
 */
export async function planCallback(
  tx: Db,
  { accountId, batchId, callId }: { readonly accountId: string; readonly batchId: string; readonly callId: string },
  at: Date,
  now: Date,
): Promise<CallbackPlanned> {
  const { rows: batches } = await sql<{
    status: BatchStatus;
    callsPerWorkflow: number | null;
    window: CallingWindow | null;
    timezone: string;
  }>`
    select status, calls_per_workflow as "callsPerWorkflow", calling_window as window, timezone from batches
    where id = ${batchId} and account_id = ${accountId} for share`.execute(tx);
  const { rows: calls } = await sql<CallOfRecord>`
    select c.settled, c.attempts_made as attempts, c.callback_attempt as promised, c.position, c.gateway_id as "gatewayId",
      c.erased_at is not null or c.purged_at is not null as gone,
      exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number) as listed
    from calls c
    where c.id = ${callId} and c.batch_id = ${batchId} and c.account_id = ${accountId} for no key update of c`.execute(
    tx,
  );
  const [batch] = batches;
  const [call] = calls;
  if (batch === undefined || call === undefined) return { outcome: 'unknown' };
  if (batch.status !== 'running') return { outcome: 'not_running' };
  if (call.gone) return { outcome: 'gone' };
  if (call.listed) return { outcome: 'do_not_call' };
  // A statement of its own: it sees what the gate has committed until the call was locked.
  const { rows: attempts } = await sql<{ attempt: number; live: boolean; ended: boolean; breaksPromises: boolean }>`
    select number as attempt, phase not in ('queued', 'claimed', 'ended') as live, phase = 'ended' as ended,
      hang_up_at is not null and coalesce(hang_up_reason, 'ended_by_api') = any (${[...promiseBreakers]}::text[]) as "breaksPromises"
    from call_attempts
    where call_id = ${callId} and number > ${call.attempts}`.execute(tx);
  // The attempt that would be promised is over: no other can take its number, and the call would wait for ever.
  if (attempts.some(({ ended }) => ended)) return { outcome: call.attempts === 0 ? 'never_called' : 'undialed' };
  const live = attempts.find((each) => each.live);
  if (live !== undefined) {
    // Its end would break a promise that is made now as it breaks those from before the hang-up.
    if (live.breaksPromises) return { outcome: 'being_ended' };
    await notePromise(tx, callId, at, live.attempt + 1);
    return { outcome: 'planned', gatewayId: call.gatewayId };
  }
  if (call.attempts === 0) {
    if (call.promised === null) return { outcome: 'never_called' };
    // Promised while an attempt was about to be dialed that has then gone back to the queue: this promise moves that one.
    await notePromise(tx, callId, at, call.promised);
    return { outcome: 'planned', gatewayId: call.gatewayId };
  }

  if (call.settled) await keepUsage(tx, callId);
  await notePromise(tx, callId, at, call.attempts + 1);
  await sql`
    update calls set status = 'retrying', next_attempt_at = callback_at, held_until = callback_at, held_by = 'callback', reason = null,
      ended_at = null, answered_at = null, talk_seconds = null
    where id = ${callId}`.execute(tx);
  // The attempt before says when this one is due, as if its end had planned it.
  await sql`update call_attempts set next_attempt_at = ${at} where call_id = ${callId} and number = ${call.attempts}`.execute(
    tx,
  );
  if (attempts.length > 0) {
    await sql`
      update call_attempts set phase = 'queued', again = true, claimed_by = null, dial_at = null
      where call_id = ${callId} and phase in ('queued', 'claimed')`.execute(tx);
    await timeByWindow(tx, batch, { callId, attempts, from: at > now ? at : now });
  } else {
    const group = groupOf(call.position, batch.callsPerWorkflow ?? 1);
    await tellWorkflows(tx, { accountId, batchId, group });
  }
  return { outcome: 'planned', gatewayId: call.gatewayId };
}

/** A promise for an attempt that has one already moves it, and counts once. */
async function notePromise(tx: Db, callId: string, at: Date, attempt: number): Promise<void> {
  await sql`
    update calls set callback_at = ${at}, callback_attempt = ${attempt}::smallint,
      callbacks = callbacks + (callback_attempt is distinct from ${attempt}::smallint)::integer, updated_at = clock_timestamp()
    where id = ${callId}`.execute(tx);
}
