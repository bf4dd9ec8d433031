import { sql } from 'kysely';
import type { InviteKey } from '../../../domain/call/attempt-key.js';
import type { Db } from '../../client.js';
import { lockCall } from '../calls/control.js';
import { inboundHolder } from '../calls/inbound.js';
import { requireTransferable } from '../calls/order-transfer.js';
import { countryOfEnd } from '../../../domain/call/country-of-end.js';
import { warmTargetNumber } from '../../../domain/call/warm-transfer.js';
import type { AgentLeg } from '../calls/conversation.js';
import { transferStatus } from '../calls/warm-transfers.js';
import { type ClaimedAttempt, orderColumns } from './claim-attempts.js';

/** A warm transfer that this process carries out. */
export interface WarmTransfer extends InviteKey {
  readonly id: string;
  readonly accountId: string;
  /** By which the target is called. */
  readonly gatewayId: string;
  /** Room of the leg. */
  readonly room: string;
  /** Region whose LiveKit took the call; null: it was dialed. */
  readonly inboundRegion: string | null;
}

/** One whose target is to be called, with all that its INVITE needs. */
export interface HeldTransfer extends ClaimedAttempt {
  readonly id: string;
  readonly room: string;
  readonly transferTo: string;
  readonly inboundRegion: string | null;
}

const ofTransfer = sql`a.call_id = t.call_id and a.number = t.number`;
const isLive = sql`a.phase = 'answered' and a.hang_up_at is null`;

/** Live legs of this process, and those that came in and whose transfer it has taken. */
const ofLiveLegs = (processId: string) => sql`
  ${ofTransfer} and ${isLive}
    and (a.claimed_by = ${processId} or (a.claimed_by = ${inboundHolder} and t.taken_by = ${processId}))`;

const inboundLeg = sql`left join inbound_legs i on i.call_id = a.call_id`;

const legColumns = sql`
  a.account_id as "accountId", a.call_id as "callId", a.number as attempt, a.invite,
  coalesce(t.gateway_id, a.gateway_id) as "gatewayId", a.room, i.region as "inboundRegion"`;

/** What `orderColumns` reads: the target is called from the account's own number, by the gateway of the transfer. */
const orderJoins = sql`
  join lateral (
    select k.id, k.account_id, k.batch_id, k.to_number, k.options, k.participant, k.rule_id,
      case k.type when 'inbound' then k.to_number else k.from_number end as from_number,
      coalesce(t.gateway_id, k.gateway_id) as gateway_id
    from calls k where k.id = a.call_id) c on true
  join gateways g on g.id = c.gateway_id
  join routing_rules r on r.id = c.rule_id`;

const holdsLease = (processId: unknown) => sql`
  exists (select 1 from dialer_processes p where p.id = ${processId} and p.lease_until > clock_timestamp())`;

/**
 * Takes the transfers of calls that came in, which no dialer holds: those that nobody has taken, and of which nobody is called
 * yet though their taker's lease has run out. Each belongs to one process, as the leg of a dialed call does.
 */
export async function takeInboundTransfers(db: Db, processId: string): Promise<void> {
  await sql`
    update call_transfers t set taken_by = ${processId}
    from call_attempts a
    where t.mode = 'warm' and t.status in ('wanted', 'held') and ${ofTransfer} and ${isLive}
      and a.claimed_by = ${inboundHolder} and t.taken_by is distinct from ${processId}
      and not ${holdsLease(sql.ref('t.taken_by'))} and ${holdsLease(processId)}`.execute(db);
}

/** Transfers for which the callee is not on hold yet. */
export async function wantedTransfers(db: Db, processId: string): Promise<WarmTransfer[]> {
  const { rows } = await sql<WarmTransfer>`
    select t.id, ${legColumns}
    from call_transfers t join call_attempts a on ${ofLiveLegs(processId)} ${inboundLeg}
    where t.status = 'wanted'`.execute(db);
  return rows;
}

/** Notes that the callee is on hold. @returns false if the transfer is not waited for any more */
export async function noteHeld(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    with held as (update call_transfers set status = 'held' where id = ${id} and status = 'wanted' returning id)
    select pg_notify('outdial_transfer', '') from held`.execute(db);
  return rows.length > 0;
}

/** Transfers whose target can be called. */
export async function heldTransfers(db: Db, processId: string): Promise<HeldTransfer[]> {
  const { rows } = await sql<HeldTransfer>`
    select t.id, t.transfer_to as "transferTo", a.room, i.region as "inboundRegion", ${orderColumns}
    from call_transfers t join call_attempts a on ${ofLiveLegs(processId)} ${inboundLeg}
    ${orderJoins}
    where t.status = 'held'`.execute(db);
  return rows;
}

export type TransferTurn = { readonly dialInMs: number } | { readonly wait: 'line' | 'slot' | 'suspended' };

/** Takes a line and a slot of the gateway (db/functions/pace-transfer.sql). @returns null if the transfer is over */
export async function paceTransfer(
  db: Db,
  id: string,
  gatewayId: string,
  patienceMs: number,
): Promise<TransferTurn | null> {
  const { rows } = await sql<{ dialInMs: number | null; wait: 'line' | 'slot' | 'suspended' | null }>`
    select dial_in_ms as "dialInMs", wait from pace_transfer(${id}, ${gatewayId}, ${patienceMs})`.execute(db);
  const [turn] = rows;
  if (turn === undefined) return null;
  return turn.wait === null ? { dialInMs: turn.dialInMs ?? 0 } : { wait: turn.wait };
}

/**
 * The last check before the INVITE to a target: what forbids a transfer is asked again, under the lock that whoever forbids
 * the account's calls takes. It is `calling` from the commit on, and no process sends an INVITE for it after this one.
 *
 * @returns false if it may not be sent by this process
 * @throws Failure `forbidden`, with a message for the client
 */
export function gateTransfer(db: Db, processId: string, transfer: HeldTransfer): Promise<boolean> {
  const { id, accountId, callId, transferTo, gatewayId } = transfer;
  const country = countryOfEnd(warmTargetNumber(transferTo) ?? '');
  return db.transaction().execute(async (tx) => {
    await sql`select share_dialing_lock(${accountId})`.execute(tx);
    if ((await lockCall(tx, accountId, callId)) === null) return false;
    await requireTransferable(tx, { accountId, callId, to: transferTo }, gatewayId);
    const { rows } = await sql`
      update call_transfers t
      set status = 'calling', sent_at = clock_timestamp(), country = ${country}, taken_by = ${processId}
      from call_attempts a
      where t.id = ${id} and t.status = 'held' and t.gateway_line is not null and ${ofLiveLegs(processId)}
        and ${holdsLease(processId)}
      returning t.id`.execute(tx);
    return rows.length > 0;
  });
}

/**
 * Has the target called again whose INVITE this process certainly did not send. One that another process has let through the
 * gate since may be on its way.
 */
export async function giveBackHeldTransfer(db: Db, processId: string, id: string): Promise<void> {
  await sql`
    update call_transfers set status = 'held', sent_at = null
    where id = ${id} and status = 'calling' and taken_by = ${processId}`.execute(db);
}

/** Notes that the target's telephone was picked up. Whoever sees it first says when; nothing happens once it was hung up. */
export async function noteTargetAnswered(db: Db, id: string, at: Date): Promise<void> {
  await sql`
    update call_transfers set answered_at = greatest(${at}::timestamptz, sent_at)
    where id = ${id} and answered_at is null and left_at is null and sent_at is not null`.execute(db);
}

/**
 * Notes that the telephone of a target is hung up if it was picked up, and so prices its leg, once (0156-legs-of-transfers.sql). That of
 * one that has taken the call ends with the call, whenever that is noted.
 *
 * @param at omitted: now
 */
export async function noteTargetLeft(db: Db, { accountId, callId }: AgentLeg, id: string, at?: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // First, as whoever ends the call does.
    if ((await lockCall(tx, accountId, callId)) === null) return;
    await sql`
      update call_transfers t
      set left_at = greatest(t.answered_at, least(
        coalesce(${at ?? null}::timestamptz, clock_timestamp()), case when t.status = 'transferred' then a.ended_at end))
      from call_attempts a
      where t.id = ${id} and t.answered_at is not null and t.left_at is null
        and a.call_id = t.call_id and a.number = t.number`.execute(tx);
  });
}

/** Stores how a warm transfer went, unless that is known already. @returns whether it went so: also if this had been stored before */
export async function settleWarmTransfer(
  db: Db,
  id: string,
  result: { readonly transferred: boolean; readonly sipStatusCode?: number; readonly message: string },
): Promise<boolean> {
  const status = result.transferred ? 'transferred' : 'failed';
  const { numAffectedRows = 0n } = await sql`
    update call_transfers set status = ${status}, ended_at = clock_timestamp(),
      sip_status_code = ${result.sipStatusCode ?? null}, message = ${result.message.replaceAll('\0', '')}
    where id = ${id} and status in ('wanted', 'held', 'calling')`.execute(db);
  return numAffectedRows > 0n || (await transferStatus(db, id))?.status === status;
}

/** How long each step may take before the transfer has failed: nobody is on hold for ever. */
export interface WarmLimits {
  readonly wantedSeconds: number;
  readonly heldSeconds: number;
  readonly callingSeconds: number;
  /** How long after the end of the leg the provider's own answer is waited for. */
  readonly graceSeconds: number;
}

/** Settles warm transfers that nobody will: their process is gone, or the call is over. Never has a target called again. */
export async function settleLostWarmTransfers(db: Db, limits: WarmLimits): Promise<void> {
  const before = (seconds: number) => sql`clock_timestamp() - make_interval(secs => ${seconds})`;
  await sql`
    update call_transfers t
    set status = case when a.reason = 'transferred' then 'transferred' else 'failed' end, ended_at = clock_timestamp(),
      message = case when a.reason = 'transferred' then 'the transfer target took the call'
        when a.phase = 'ended' then 'the call ended before it was transferred'
        when t.status = 'wanted' then 'no agent took it up'
        when t.status = 'held' then 'the gateway had no line for it in time'
        else 'how it went is unknown: the answer was lost' end
    from call_attempts a
    where t.status in ('wanted', 'held', 'calling') and a.call_id = t.call_id and a.number = t.number and (
      (a.phase = 'ended' and (t.status <> 'calling' or a.reason = 'transferred'
        or a.ended_at < ${before(limits.graceSeconds)}))
      or (t.status = 'wanted' and t.requested_at < ${before(limits.wantedSeconds)})
      or (t.status = 'held' and t.requested_at < ${before(limits.heldSeconds)})
      or (t.status = 'calling' and t.sent_at < ${before(limits.callingSeconds)}))`.execute(db);
}

/** Targets that are to be hung up: the transfer has failed, or the call is over. Of all processes: theirs may be gone. */
export async function targetsToHangUp(db: Db): Promise<WarmTransfer[]> {
  const { rows } = await sql<WarmTransfer>`
    select t.id, ${legColumns}
    from call_transfers t join call_attempts a on ${ofTransfer} ${inboundLeg}
    where t.gateway_line is not null and (t.status = 'failed' or a.phase = 'ended')
    limit 100`.execute(db);
  return rows;
}

/** Frees the line of a target that was hung up, once no INVITE to it can be on its way any more. */
export async function freeTransferLine(db: Db, id: string, onItsWaySeconds: number): Promise<void> {
  await sql`
    update call_transfers set gateway_line = null
    where id = ${id} and (sent_at is null or sip_status_code is not null
      or sent_at < clock_timestamp() - make_interval(secs => ${onItsWaySeconds}))`.execute(db);
}
