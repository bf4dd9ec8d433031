import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../client.js';
import type { LegHint } from '../../../domain/call/leg-hint.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** Channel on which dialers hear that somebody has left a room; the payload is the room's name. */
export const legChannel = 'outdial_leg';

/** One INVITE: LiveKit's webhooks name calls of every account, and nothing but the call. */
export interface HintedInvite {
  readonly callId: string;
  readonly number: number;
  readonly invite: number;
}

const StoredHint = z.object({
  at: z.coerce.date(),
  callStatus: z.string(),
  disconnectReason: z.int(),
  transferring: z.boolean(),
});

/**
 * Keeps LiveKit's last words about a leg that this system believes to live; later ones replace earlier ones, never the other
 * way round. The hint is stored with its INVITE: it tells nothing about the next one. @returns whether there is such a leg
 */
export async function storeLegHint(db: Db, { callId, number, invite }: HintedInvite, hint: LegHint): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update call_attempts
    set left_hint = case
      when left_hint is null or (left_hint ->> 'at')::timestamptz <= ${hint.at}
        or (left_hint ->> 'invite')::integer <> ${invite} then ${JSON.stringify({ ...hint, invite })}::jsonb
      else left_hint end
    where call_id = ${callId}::uuid and number = ${number} and invite = ${invite}
      and phase in ('dialing', 'ringing', 'answered')`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Tells the dialers to look at the legs of a room. */
export async function announceLegNews(db: Db, room: string): Promise<void> {
  await sql`select pg_notify(${legChannel}, ${room})`.execute(db);
}

/** What is stored of an INVITE that was let out. */
export interface StoredLeg {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly hangUpReason: EndReason | null;
  readonly left: LegHint | null;
}

/** undefined where the attempt has gone on to another INVITE, or is no more. */
export async function storedLeg(db: Db, { callId, number, invite }: HintedInvite): Promise<StoredLeg | undefined> {
  const { rows } = await sql<Omit<StoredLeg, 'left'> & { left: unknown }>`
    select ringing_at as "ringingAt", answered_at as "answeredAt",
      case when hang_up_at <= clock_timestamp() then coalesce(hang_up_reason, 'ended_by_api') end as "hangUpReason",
      case when coalesce((left_hint ->> 'invite')::integer, invite) = invite then left_hint end as left
    from call_attempts
    where call_id = ${callId}::uuid and number = ${number} and invite = ${invite}`.execute(db);
  const [row] = rows;
  return row === undefined ? undefined : { ...row, left: row.left === null ? null : StoredHint.parse(row.left) };
}
