import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { InboundCall } from './inbound.js';

/** An inbound leg to be looked at. */
export interface OpenInboundLeg extends InboundCall {
  readonly region: string;
  readonly room: string;
  readonly identity: string;
  readonly answered: boolean;
  /** A hang-up was requested. */
  readonly hangUp: boolean;
  /** Since when the caller has not been found in the room. */
  readonly absentSince: Date | null;
  /** The rule by which an agent speaks with them; null: none was sent. */
  readonly agentRule: string | null;
  /** Since when the agent has not been found in the room. */
  readonly agentAbsentSince: Date | null;
}

/** How often an answered leg is checked; one that is to be hung up or not answered is checked in every round. */
const answeredEverySeconds = 15;
const everySeconds = 1;

/**
 * Takes the inbound legs that it is time to look at, over all accounts. Several processes may ask at once: each leg goes to
 * one, until it is due again.
 */
export async function takeInboundLegs(db: Db, most: number): Promise<OpenInboundLeg[]> {
  const { rows } = await sql<OpenInboundLeg>`
    with due as (
      select l.call_id, a.phase = 'answered' as answered, a.hang_up_at is not null as "hangUp",
        case when a.version_id is not null then c.rule_id end as "agentRule"
      from inbound_legs l join call_attempts a on a.call_id = l.call_id and a.number = 1 join calls c on c.id = l.call_id
      where l.open and (l.checked_at is null or l.checked_at < a.hang_up_at
        or l.checked_at < clock_timestamp() - make_interval(secs =>
          case when a.phase = 'answered' and a.hang_up_at is null and l.absent_since is null
              and l.agent_absent_since is null
            then ${answeredEverySeconds}::float8 else ${everySeconds}::float8 end))
      order by l.checked_at nulls first limit ${most} for update of l skip locked
    )
    update inbound_legs l set checked_at = clock_timestamp() from due d where l.call_id = d.call_id
    returning l.call_id as "callId", l.account_id as "accountId", l.region, l.room, l.identity, d.answered, d."hangUp",
      l.absent_since as "absentSince", d."agentRule", l.agent_absent_since as "agentAbsentSince"`.execute(db);
  return rows;
}

/** Has the callers of a room looked at in the next round: a participant has left it, perhaps the agent. */
export async function lookAtCallersSoon(db: Db, region: string, room: string): Promise<void> {
  await sql`update inbound_legs set checked_at = null where open and region = ${region} and room = ${room}`.execute(db);
}

/** Notes that the agent is in the room, or since when not. @returns whether that is news */
export async function noteAgentAbsence(db: Db, { callId, accountId }: InboundCall, absent: boolean): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update inbound_legs set agent_absent_since = case when ${absent} then clock_timestamp() end
    where call_id = ${callId} and account_id = ${accountId} and (agent_absent_since is null) = ${absent}`.execute(db);
  return numAffectedRows > 0n;
}

/** Notes that the caller is in the room, or since when not. */
export async function noteAbsence(db: Db, { callId, accountId }: InboundCall, absent: boolean): Promise<void> {
  await sql`
    update inbound_legs
    set absent_since = case when ${absent} then coalesce(absent_since, clock_timestamp()) end
    where call_id = ${callId} and account_id = ${accountId}`.execute(db);
}

/** The participant of an inbound call, to ask LiveKit about; null if the call is not inbound, or over. */
export async function openInboundLeg(
  db: Db,
  callId: string,
): Promise<{ readonly region: string; readonly room: string; readonly identity: string } | null> {
  const { rows } = await sql<{ region: string; room: string; identity: string }>`
    select region, room, identity from inbound_legs where call_id = ${callId} and open`.execute(db);
  return rows[0] ?? null;
}
