import { sql } from 'kysely';
import { type CallingWindow, nextOpening, recipientZone, zonesOfWindow } from '../../../domain/call/calling-window.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';
import type { Db } from '../../client.js';
import { noSoonerThan } from '../dialer/queue-sweep.js';
import { wakeGateways } from '../dialer/wake-gateways.js';

/*
 * After a batch's calling window or the account's guardrails were changed: what is in the queue by the old times gets its
 * times by the new ones, in pieces. While `window_moving` is set, claim and gate refuse the batch, so no one is called by
 * the old window. `guardrails_moving` holds nothing: the gate compares the guardrails of each call by itself, and a batch
 * need not stand still because its account calls by other hours.
 */

/** Calls looked at by one transaction. */
const callsAtOnce = 2_000;

/** The window that a batch's queue is being moved to. */
export interface MovingWindow {
  readonly window: CallingWindow | null;
  /** As the database writes it: tells whether it has been changed again. */
  readonly text: string | null;
  /** Revision of the guardrails to which the queue is moved; null if they have not changed. */
  readonly guardrails: string | null;
  readonly gatewayId: string;
  /** Zone for callees whose zone is unknown. */
  readonly timezone: string;
}

/** The window that a batch's queue has to be moved to; null if nothing has to be moved. */
export async function movingWindow(db: Db, accountId: string, batchId: string): Promise<MovingWindow | null> {
  const { rows } = await sql<MovingWindow>`
    select calling_window as window, calling_window::text as text, timezone, guardrails_moving as guardrails,
      gateway_id as "gatewayId"
    from batches
    where id = ${batchId} and account_id = ${accountId} and (window_moving or guardrails_moving is not null)
      and status in ('scheduled', 'running')`.execute(db);
  return rows[0] ?? null;
}

export interface CallWithoutZones {
  readonly callId: string;
  readonly position: number;
  readonly phoneNumber: string;
  /** What the row's own `timezone` column says; null if it has none. */
  readonly named: string | null;
}

/** Open calls whose time zones were not looked up yet, in the order of the file, after this place. */
export async function callsWithoutZones(
  db: Db,
  accountId: string,
  batchId: string,
  afterPosition: number,
): Promise<CallWithoutZones[]> {
  const { rows } = await sql<CallWithoutZones>`
    select c.id as "callId", c.position, c.to_number as "phoneNumber", c.metadata ->> 'timezone' as named from calls c
    where c.batch_id = ${batchId} and c.account_id = ${accountId} and not c.settled and c.time_zones is null
      and c.position > ${afterPosition}
    order by c.position limit ${callsAtOnce}`.execute(db);
  return rows;
}

/** Stores the time zones that were looked up of calls without any; an empty list: none is known. One that has got its own meanwhile keeps them. */
export async function storeZones(
  db: Db,
  accountId: string,
  calls: readonly { readonly callId: string; readonly zones: readonly string[] }[],
): Promise<void> {
  // Lists of different lengths make no array of arrays: each goes as one text.
  await sql`
    update calls c set time_zones = coalesce(string_to_array(nullif(z.zones, ''), ','), '{}')
    from (
      select z.id, z.zones from unnest(${calls.map((call) => call.callId)}::uuid[],
        ${calls.map((call) => call.zones.join(','))}::text[]) as z (id, zones)
      join calls locked on locked.id = z.id and locked.account_id = ${accountId} and locked.time_zones is null
      order by z.id for no key update of locked
    ) z
    where c.id = z.id`.execute(db);
}

/** An attempt that waits, or one that may still go back to the queue, because the carrier may refuse it without ringing. */
interface WaitingAttempt extends AttemptKey {
  readonly zones: readonly string[] | null;
}

export interface MovedPiece {
  /** The place in the file after which the next piece begins; null after the last. */
  readonly after: number | null;
  /** The attempts that were moved. */
  readonly attempts: readonly (readonly [callId: string, attempt: number])[];
}

/**
 * Gives a piece of the queue its times by the new window, unless that has been changed again, or the queue has been moved meanwhile.
 * The account's calling hours are the caller's to apply.
 */
export async function moveQueuePiece(
  db: Db,
  accountId: string,
  batchId: string,
  { window, text, timezone }: MovingWindow,
  afterPosition: number,
  now: Date,
): Promise<MovedPiece> {
  return db.transaction().execute(async (tx) => {
    // Locks as everywhere: the batch, calls by id (which ascend with the place), then attempts. A worker that Temporal has given up
    // may still be at it when another has moved the queue to a later window, by which calls are made already.
    const { rows: still } = await sql`
      select 1 from batches
      where id = ${batchId} and account_id = ${accountId} and (window_moving or guardrails_moving is not null)
        and calling_window::text is not distinct from ${text}::text
      for share`.execute(tx);
    if (still.length === 0) return { after: null, attempts: [] };
    const { rows: calls } = await sql<{ id: string; position: number }>`
      select id, position from calls
      where batch_id = ${batchId} and account_id = ${accountId} and not settled and position > ${afterPosition}
      order by position limit ${callsAtOnce}
      for no key update`.execute(tx);
    const last = calls.at(-1);
    if (last === undefined) return { after: null, attempts: [] };
    const { rows: waiting } = await sql<WaitingAttempt>`
      select a.call_id as "callId", a.number as attempt, c.time_zones as zones
      from call_attempts a join calls c on c.id = a.call_id
      where a.call_id = any (${calls.map((call) => call.id)}::uuid[]) and a.phase in ('queued', 'claimed', 'dialing', 'ringing')`.execute(
      tx,
    );
    // Guardrails hold by the times that are worked out next.
    await sql`
      update calls set held_until = null, held_by = null
      where id = any (${calls.map((call) => call.id)}::uuid[]) and held_until is not null and held_by <> 'callback'`.execute(
      tx,
    );
    await storeTimes(tx, waiting, ({ zones }) => (window === null ? null : openingOf(window, zones, timezone, now)));
    return {
      after: calls.length < callsAtOnce ? null : last.position,
      attempts: waiting.map(({ callId, attempt }) => [callId, attempt] as const),
    };
  });
}

/** If a window opens on none of the days that are searched, it is searched again after this. */
const neverOpenMs = 86_400_000;

function openingOf(window: CallingWindow, zones: readonly string[] | null, timezone: string, now: Date) {
  const known = window.timezone === recipientZone ? zones : null;
  const never = new Date(now.getTime() + neverOpenMs);
  return nextOpening(window, zonesOfWindow(window, known, timezone), now) ?? { opensAt: never, closesAt: never };
}

/**
 * Gives attempts of one call that wait in the queue their times by the window, because the instant before which it is not
 * dialed has changed. In the transaction that has locked batch and call.
 *
 * @param from the first opening from this instant on
 */
export async function timeByWindow(
  tx: Db,
  { window, timezone }: Pick<MovingWindow, 'window' | 'timezone'>,
  {
    callId,
    attempts,
    from,
  }: { readonly callId: string; readonly attempts: readonly Pick<AttemptKey, 'attempt'>[]; readonly from: Date },
): Promise<void> {
  if (attempts.length === 0) return;
  const { rows } = await sql<Pick<WaitingAttempt, 'zones'>>`
    select time_zones as zones from calls where id = ${callId}`.execute(tx);
  const zones = rows[0]?.zones ?? null;
  const waiting = attempts.map(({ attempt }) => ({ callId, attempt, zones }));
  await storeTimes(tx, waiting, () => (window === null ? null : openingOf(window, zones, timezone, from)));
}

/**
 * If the window is open, an attempt keeps its place in the queue if it was due already, and is due no sooner than its
 * retry was planned for, than the guardrails let it go, or than the carrier asked to be left alone (at most a minute). One that a dialer has claimed goes
 * back to the queue if the window is closed; the gate lets it pass no more. One whose INVITE has left stays live, and has its
 * new times if it goes back to the queue.
 */
async function storeTimes(
  tx: Db,
  waiting: readonly WaitingAttempt[],
  openingFor: (attempt: WaitingAttempt) => { readonly opensAt: Date; readonly closesAt: Date } | null,
): Promise<void> {
  const openings = waiting.map(openingFor);
  await sql`
    update call_attempts a set
      due_at = greatest(least(a.due_at, clock_timestamp()), ${noSoonerThan}, c.held_until,
        case when z.opens_at > clock_timestamp() then z.opens_at end),
      not_after = coalesce(z.closes_at, 'infinity'),
      phase = case when a.phase = 'claimed' and z.opens_at > clock_timestamp() then 'queued' else a.phase end,
      claimed_by = case when a.phase = 'claimed' and z.opens_at > clock_timestamp() then null else a.claimed_by end,
      dial_at = case when a.phase = 'claimed' and z.opens_at > clock_timestamp() then null else a.dial_at end
    from unnest(${waiting.map(({ callId }) => callId)}::uuid[], ${waiting.map(({ attempt }) => attempt)}::smallint[],
        ${openings.map((opening) => opening?.opensAt ?? null)}::timestamptz[],
        ${openings.map((opening) => opening?.closesAt ?? null)}::timestamptz[])
      as z (call_id, number, opens_at, closes_at)
    join calls c on c.id = z.call_id
    where a.call_id = z.call_id and a.number = z.number
      and a.phase in ('queued', 'claimed', 'dialing', 'ringing')`.execute(tx);
}

/**
 * Lets the batch dial again, by its new times.
 *
 * @returns false if window or guardrails were changed again meanwhile: the queue has to be moved again
 */
export async function endMove(
  db: Db,
  accountId: string,
  batchId: string,
  { text, guardrails }: MovingWindow,
): Promise<boolean> {
  const { rows } = await sql<{ gatewayId: string }>`
    update batches set window_moving = false, guardrails_moving = null
    where id = ${batchId} and account_id = ${accountId} and calling_window::text is not distinct from ${text}::text
      and guardrails_moving is not distinct from ${guardrails}::bigint
    returning gateway_id as "gatewayId"`.execute(db);
  await wakeGateways(
    db,
    rows.map((row) => row.gatewayId),
  );
  return rows.length > 0;
}
