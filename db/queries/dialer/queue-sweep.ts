import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { CallingWindow } from '../../../domain/call/calling-window.js';
import type { AttemptKey, InviteKey } from '../../../domain/call/attempt-key.js';
import { hoursAsRead } from './judged-attempts.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/*
 * Due times are compared with statement_timestamp(), so that an index serves them. clock_timestamp() may change from row to
 * row: with it, Postgres would read every queued attempt.
 */

/** A queued attempt whose calling window has closed before its turn came. */
export interface ClosedWindow extends AttemptKey {
  readonly accountId: string;
  readonly batchId: string;
  readonly gatewayId: string;
  /** null: the batch has lost its window since the attempt was queued. */
  readonly callingWindow: CallingWindow | null;
  /** Zones that the callee may be in; null if they were not looked up. */
  readonly timeZones: readonly string[] | null;
  readonly batchTimezone: string;
  /** Window and zones as the database writes them: tells whether they have been changed since. */
  readonly asRead: string;
}

/** Queued attempts whose window is over. */
export async function closedWindows(db: Db, most: number): Promise<ClosedWindow[]> {
  const { rows } = await sql<ClosedWindow>`
    select a.call_id as "callId", a.number as attempt, a.account_id as "accountId", a.batch_id as "batchId",
      a.gateway_id as "gatewayId", b.calling_window as "callingWindow", c.time_zones as "timeZones", b.timezone as "batchTimezone", ${hoursAsRead} as "asRead"
    from call_attempts a join calls c on c.id = a.call_id join batches b on b.id = a.batch_id
    where a.phase = 'queued' and a.not_after < 'infinity' and a.not_after <= statement_timestamp()
    order by a.not_after
    limit ${most}`.execute(db);
  return rows;
}

/**
 * Before when the attempt `a` of the call `c` must not be dialed, whatever window is open: its retry was planned for then, or
 * the carrier asked to be left alone until then (at most a minute). Null if neither.
 */
export const noSoonerThan = sql`greatest(
  c.next_attempt_at, case when a.invite > 0 then least(a.due_at, clock_timestamp() + interval '1 minute') end)`;

/**
 * Moves queued attempts to the next opening of their window; not those that a change of the window has moved meanwhile, nor
 * those whose window is another one than the opening was worked out from: a dialer may stand still in between.
 */
export async function moveToOpenings(
  db: Db,
  moves: readonly (AttemptKey &
    Pick<ClosedWindow, 'asRead'> & { readonly opensAt: Date; readonly closesAt: Date | null })[],
): Promise<void> {
  await sql`
    update call_attempts a set
      due_at = greatest(z.opens_at, ${noSoonerThan}),
      not_after = coalesce(z.closes_at, 'infinity')
    from unnest(${moves.map((move) => move.callId)}::uuid[], ${moves.map((move) => move.attempt)}::smallint[],
      ${moves.map((move) => move.opensAt)}::timestamptz[], ${moves.map((move) => move.closesAt)}::timestamptz[],
      ${moves.map((move) => move.asRead)}::text[]) as z (call_id, number, opens_at, closes_at, as_read)
    join calls c on c.id = z.call_id join batches b on b.id = c.batch_id
    where z.as_read = ${hoursAsRead} and a.call_id = z.call_id and a.number = z.number and a.phase = 'queued'
      and a.not_after <= clock_timestamp()`.execute(db);
}

/** Single calls that were not dialed in time. */
export async function expiredAttempts(db: Db, most: number): Promise<AttemptKey[]> {
  const { rows } = await sql<AttemptKey>`
    select call_id as "callId", number as attempt from call_attempts
    where phase = 'queued' and expires_at < 'infinity' and expires_at <= statement_timestamp()
    order by expires_at limit ${most}`.execute(db);
  return rows;
}

/** Queued attempts of gateways that have been suspended for longer than this. */
export async function attemptsOfGivenUpGateways(db: Db, afterHours: number, most: number): Promise<AttemptKey[]> {
  const { rows } = await sql<AttemptKey>`
    select a.call_id as "callId", a.number as attempt
    from gateway_admission w join call_attempts a on a.gateway_id = w.gateway_id and a.phase = 'queued'
    where w.suspended_since < clock_timestamp() - make_interval(hours => ${afterHours})
    limit ${most}`.execute(db);
  return rows;
}

export interface HangUpOrder extends InviteKey {
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
  readonly room: string;
  readonly reason: EndReason | null;
}

/** Live legs of this process that have to be hung up. */
export async function hangUpOrders(db: Db, processId: string): Promise<HangUpOrder[]> {
  const { rows } = await sql<HangUpOrder>`
    select account_id as "accountId", batch_id as "batchId", call_id as "callId", number as attempt, invite,
      gateway_id as "gatewayId", room, hang_up_reason as reason
    from call_attempts
    where hang_up_at is not null and hang_up_at <= clock_timestamp()
      and phase in ('dialing', 'ringing', 'answered') and claimed_by = ${processId}`.execute(db);
  return rows;
}
