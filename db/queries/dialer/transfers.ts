import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { InviteKey } from '../../../domain/call/attempt-key.js';

/** A transfer that this process has to send to the carrier. */
export interface TransferOrder extends InviteKey {
  readonly id: string;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
  readonly room: string;
  /** E.164 or a SIP or tel URI. */
  readonly to: string;
}

/**
 * Takes the transfers that were requested for legs of this process. They are `sent` from here on, before any REFER: a process
 * that dies in between leaves a transfer whose result is unknown, never one that is sent twice.
 */
export async function takeTransfers(db: Db, processId: string): Promise<TransferOrder[]> {
  const { rows } = await sql<TransferOrder>`
    update call_transfers t set status = 'sent', sent_at = clock_timestamp()
    from call_attempts a
    where t.status = 'requested' and a.call_id = t.call_id and a.number = t.number
      and a.claimed_by = ${processId} and a.phase = 'answered' and a.hang_up_at is null
    returning t.id, t.transfer_to as "to", a.account_id as "accountId", a.batch_id as "batchId", a.call_id as "callId",
      a.number as attempt, a.invite, a.gateway_id as "gatewayId", a.room`.execute(db);
  return rows;
}

/** Stores the carrier's answer. */
export async function settleTransfer(
  db: Db,
  id: string,
  result: { readonly transferred: boolean; readonly sipStatusCode?: number; readonly message: string },
): Promise<void> {
  await sql`
    update call_transfers set status = ${result.transferred ? 'transferred' : 'failed'}, ended_at = clock_timestamp(),
      sip_status_code = ${result.sipStatusCode ?? null}, message = ${result.message.replaceAll('\0', '')}
    where id = ${id} and status in ('requested', 'sent')`.execute(db);
}

/** Requests a transfer again whose REFER was certainly not sent. */
export async function giveBackTransfer(db: Db, id: string): Promise<void> {
  await sql`
    update call_transfers set status = 'requested', sent_at = null where id = ${id} and status = 'sent'`.execute(db);
}

/**
 * Settles transfers whose answer will never come, because the dialer that sent them is gone: by the end of the leg, or as
 * failed if the leg still goes on after `unknownAfterSeconds`. Never sends a second REFER.
 *
 * @param graceSeconds how long after the end of the leg the carrier's own answer is waited for
 */
export async function settleLostTransfers(db: Db, graceSeconds: number, unknownAfterSeconds: number): Promise<void> {
  await sql`
    update call_transfers t
    set status = case when a.reason = 'transferred' then 'transferred' else 'failed' end, ended_at = clock_timestamp(),
      message = case when a.reason = 'transferred' then 'the transfer target took the call'
        when a.phase = 'ended' then 'the call ended before it was transferred'
        else 'how it went is unknown: the carrier''s answer was lost' end
    from call_attempts a
    where t.status in ('requested', 'sent') and a.call_id = t.call_id and a.number = t.number and (
      (a.phase = 'ended' and (t.status = 'requested' or a.reason = 'transferred'
        or a.ended_at < clock_timestamp() - make_interval(secs => ${graceSeconds})))
      or (t.status = 'sent' and t.sent_at < clock_timestamp() - make_interval(secs => ${unknownAfterSeconds})))`.execute(
    db,
  );
}
