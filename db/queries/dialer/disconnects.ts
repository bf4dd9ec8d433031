import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../client.js';
import type { InviteKey } from '../../../domain/call/attempt-key.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';
import type { Disconnect } from '../../../domain/call/disconnect.js';

/** Channel that tells dialers that a participant has left a room; the payload is the room's name. */
export const legChannel = 'outdial_leg';

const StoredDisconnect = z.object({
  at: z.coerce.date(),
  callStatus: z.string(),
  disconnectReason: z.int(),
  transferring: z.boolean(),
});

/**
 * Stores how LiveKit says that a callee's participant left, if the leg is live here. A later message replaces an earlier one,
 * never the other way round. It is stored with its INVITE and says nothing about the next one.
 *
 * @returns whether there is such a leg
 */
export async function storeDisconnect(
  db: Db,
  { callId, attempt, invite }: InviteKey,
  disconnect: Disconnect,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update call_attempts
    set left_hint = case
      when left_hint is null or (left_hint ->> 'at')::timestamptz <= ${disconnect.at}
        or (left_hint ->> 'invite')::integer <> ${invite} then ${JSON.stringify({ ...disconnect, invite })}::jsonb
      else left_hint end
    where call_id = ${callId}::uuid and number = ${attempt} and invite = ${invite}
      and phase in ('dialing', 'ringing', 'answered')`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Makes the dialers look at the legs of a room. */
export async function wakeWatchersOfRoom(db: Db, room: string): Promise<void> {
  await sql`select pg_notify(${legChannel}, ${room})`.execute(db);
}

/** What is stored of an INVITE that was let out. */
export interface StoredLeg {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly hangUpReason: EndReason | null;
  readonly disconnect: Disconnect | null;
}

/** @returns undefined if the attempt has had another INVITE since, or was deleted */
export async function storedLeg(db: Db, { callId, attempt, invite }: InviteKey): Promise<StoredLeg | undefined> {
  const { rows } = await sql<Omit<StoredLeg, 'disconnect'> & { disconnect: unknown }>`
    select ringing_at as "ringingAt", answered_at as "answeredAt",
      case when hang_up_at <= clock_timestamp() then coalesce(hang_up_reason, 'ended_by_api') end as "hangUpReason",
      case when coalesce((left_hint ->> 'invite')::integer, invite) = invite then left_hint end as disconnect
    from call_attempts
    where call_id = ${callId}::uuid and number = ${attempt} and invite = ${invite}`.execute(db);
  const [row] = rows;
  return row === undefined
    ? undefined
    : { ...row, disconnect: row.disconnect === null ? null : StoredDisconnect.parse(row.disconnect) };
}
