import { sql } from 'kysely';
import type { Db } from '../../client.js';
import { addToOutbox } from '../outbox.js';
import { reloadWorkflowsOf, type SettledBeside } from '../calls/stop-waiting.js';

/** `skipped`; `live` if it is being called; `settled` if it is over; `unknown` if the batch has no such record. */
export type Skip =
  { readonly outcome: 'skipped'; readonly gatewayId: string } | { readonly outcome: 'live' | 'settled' | 'unknown' };

/**
 * Ends a recipient that has not been dialed, or waits for a retry, as `cancelled`, and tells its workflow. The call's lock
 * decides between this and the gate: what is skipped passes no gate any more. Locks as everywhere: the call, its attempts,
 * counters (by the trigger). The carrier may have refused INVITEs of the attempt: they stay counted, because the recipient may be
 * called after all. One that was answered, and would be called again if its analysis found no success, stays `answered`.
 *
 * @param callId the bare UUID
 */
export async function skipRecord(tx: Db, accountId: string, batchId: string, callId: string): Promise<Skip> {
  const { rows: locked } = await sql<{ settled: boolean; awaited: boolean; gatewayId: string }>`
    select settled, analysis_until is not null as awaited, gateway_id as "gatewayId" from calls
    where id = ${callId} and batch_id = ${batchId} and account_id = ${accountId} for no key update`.execute(tx);
  const [call] = locked;
  if (call === undefined) return { outcome: 'unknown' };
  if (call.settled && !call.awaited) return { outcome: 'settled' };
  if (call.settled) {
    await sql`update calls set analysis_until = null, updated_at = clock_timestamp() where id = ${callId}`.execute(tx);
    await addToOutbox(tx, { kind: 'signal', name: 'reconsider', workflowId: batchId, input: {} });
    return { outcome: 'skipped', gatewayId: call.gatewayId };
  }
  // A statement of its own: it sees what the gate has committed until the call was locked.
  const { rows: skipped } = await sql<SettledBeside>`
    update calls c
    set status = 'cancelled', reason = 'skipped', next_attempt_at = null, ended_at = clock_timestamp(),
      updated_at = clock_timestamp()
    where c.id = ${callId} and not exists (
      select 1 from call_attempts a where a.call_id = c.id and a.phase in ('dialing', 'ringing', 'answered'))
    returning c.id, c.batch_id as "batchId", coalesce(c.position, 0) as position,
      (select b.calls_per_workflow from batches b where b.id = c.batch_id) as "callsPerWorkflow"`.execute(tx);
  if (skipped.length === 0) return { outcome: 'live' };
  await sql`
    with withdrawn as (
      delete from call_attempts where call_id = ${callId} and phase in ('queued', 'claimed') returning invite
    )
    update calls c set withdrawn_invites = w.invite from withdrawn w where c.id = ${callId} and w.invite > 0`.execute(
    tx,
  );
  await reloadWorkflowsOf(tx, skipped);
  return { outcome: 'skipped', gatewayId: call.gatewayId };
}
