import { sql } from 'kysely';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { Db } from '../../client.js';
import { announceAttempts } from '../dialer/announce-attempts.js';
import type { TransferMode } from '../../../domain/call/warm-transfer.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** A call of the account, locked until the transaction ends. */
export interface LockedCall {
  readonly id: string;
  readonly settled: boolean;
  readonly attemptsMade: number;
  readonly gatewayId: string;
  /** null: a single call. */
  readonly batchId: string | null;
}

/**
 * Locks a call: gate, outcomes and whatever else is asked of it wait. Null if the account has no such call.
 *
 * @param callId the bare UUID
 */
export async function lockCall(tx: Db, accountId: string, callId: string): Promise<LockedCall | null> {
  const { rows } = await sql<LockedCall>`
    select id, settled, attempts_made as "attemptsMade", gateway_id as "gatewayId", batch_id as "batchId" from calls
    where account_id = ${accountId} and id = ${callId} for no key update`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Orders the live leg of a locked call to be hung up.
 *
 * @param attempt only the leg of this one; omitted: whichever is live
 * @returns false if there is no live leg
 */
export async function orderHangUp(
  tx: Db,
  callId: string,
  reason: EndReason,
  attempt: number | null = null,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update call_attempts
    set hang_up_at = coalesce(hang_up_at, clock_timestamp()), hang_up_reason = coalesce(hang_up_reason, ${reason})
    where call_id = ${callId} and phase in ('dialing', 'ringing', 'answered')
      and number = coalesce(${attempt}::smallint, number)`.execute(tx);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

/**
 * Settles a locked call without a live leg as `abandoned`: whether its next attempt waits in the queue, for a dialer's
 * INVITE or for its time, it will not be dialed. The attempt ends unreported, so that a dialer tells its workflow.
 */
export async function abandonCall(tx: Db, call: LockedCall, reason: EndReason): Promise<void> {
  const { rows } = await sql<AttemptKey>`
    insert into call_attempts (call_id, number, account_id, batch_id, gateway_id, position, to_number, due_at, phase,
      outcome, reason, ended_at)
    select id, attempts_made + 1, account_id, batch_id, gateway_id, coalesce(position, 0), to_number, clock_timestamp(),
      'ended', 'abandoned', ${reason}, clock_timestamp()
    from calls where id = ${call.id}
    on conflict (call_id, number) do update
      set phase = 'ended', outcome = 'abandoned', reason = excluded.reason, ended_at = excluded.ended_at,
        next_attempt_at = null
      where call_attempts.phase in ('queued', 'claimed')
    returning call_id as "callId", number as attempt`.execute(tx);
  await sql`
    update calls set status = 'abandoned', last_outcome = 'abandoned', reason = ${reason}, next_attempt_at = null,
      ended_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${call.id} and not settled`.execute(tx);
  await announceAttempts(tx, rows);
}

/** Why a call cannot be transferred now; null if the transfer has been asked for. */
export type TransferObstacle =
  'not_answered' | 'being_hung_up' | 'being_transferred' | 'handed_over' | 'no_agent' | 'no_gateway' | null;

/**
 * The gateway by which a warm transfer of a call goes out: that of the call or, if it came in, the outbound gateway of the number
 * that was called, whose attachment is locked. Null if there is none.
 */
export async function targetGatewayOf(tx: Db, accountId: string, callId: string): Promise<string | null> {
  const call = await tx
    .selectFrom('calls')
    .select(['type', 'gateway_id', 'to_number'])
    .where('account_id', '=', accountId)
    .where('id', '=', callId)
    .executeTakeFirstOrThrow();
  if (call.type !== 'inbound') return call.gateway_id;
  const link = await tx
    .selectFrom('number_gateways')
    .select('gateway_id')
    .where('account_id', '=', accountId)
    .where('e164', '=', call.to_number)
    .where('direction', '=', 'outbound')
    .forShare()
    .executeTakeFirst();
  return link?.gateway_id ?? null;
}

/**
 * Asks for a transfer of a locked call; the dialer that holds its leg hears of it when this is committed.
 *
 * @param attempt only of the leg of this one; omitted: of whichever is live
 */
export async function requestTransfer(
  tx: Db,
  accountId: string,
  callId: string,
  transferTo: string,
  mode: TransferMode = 'cold',
  attempt: number | null = null,
): Promise<TransferObstacle> {
  const { rows } = await sql<{
    attempt: number;
    hangingUp: boolean;
    busy: boolean;
    handedOver: boolean;
    hasAgent: boolean;
  }>`
    select a.number as attempt, a.hang_up_at is not null as "hangingUp",
      exists (select 1 from call_transfers t where t.call_id = a.call_id and t.ended_at is null) as busy,
      exists (select 1 from call_transfers t where t.call_id = a.call_id and t.number = a.number and t.mode = 'warm'
        and t.status = 'transferred') as "handedOver",
      c.type <> 'inbound' or c.agent_id is not null as "hasAgent"
    from call_attempts a join calls c on c.id = a.call_id
    where a.call_id = ${callId} and a.account_id = ${accountId} and a.phase = 'answered'
      and a.number = coalesce(${attempt}::smallint, a.number)`.execute(tx);
  const [leg] = rows;
  if (leg === undefined) return 'not_answered';
  if (leg.hangingUp) return 'being_hung_up';
  if (leg.busy) return 'being_transferred';
  if (leg.handedOver) return 'handed_over';
  if (mode === 'warm' && !leg.hasAgent) return 'no_agent';
  const gatewayId = mode === 'warm' ? await targetGatewayOf(tx, accountId, callId) : null;
  if (mode === 'warm' && gatewayId === null) return 'no_gateway';
  await sql`
    insert into call_transfers (account_id, call_id, number, transfer_to, mode, status, gateway_id)
    values (${accountId}, ${callId}, ${leg.attempt}, ${transferTo}, ${mode},
      ${mode === 'warm' ? 'wanted' : 'requested'}, ${gatewayId})`.execute(tx);
  return null;
}
