import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { isE164 } from '../../../domain/phone/phone-number.js';
import { areWholeNumbers, commonAllowedNumbers, isNumberAllowed } from '../../../domain/phone/allowed-number.js';
import type { AttemptStatus } from '../../../domain/call/call.js';
import {
  allowedHeaderAttributes,
  claimsRange,
  hiddenCaller,
  type InboundLegSeen,
  isAnsweredStatus,
  metadataOf,
} from '../../../domain/call/inbound-call.js';
import type { Db } from '../../client.js';
import { isObject } from '../../../domain/input/json-value.js';
import { lockCall } from './control.js';
import { lockPerson, noteCalledBack, type RecentCall, recentCallTo } from './recently-called.js';
import { announceAttempts } from '../dialer/announce-attempts.js';
import { asJson } from '../dialer/columns.js';
import { countryOfEnd } from '../../../domain/call/country-of-end.js';
import type { EndReason } from '../../../domain/call/end-reasons.js';

/** Holds every inbound leg in the place of a dialer: no dialer takes such a leg over. */
export const inboundHolder = '00000000-0000-0000-0000-000000000000';

/** An inbound leg, with its LiveKit region, room and identity. */
export interface SeenInRoom {
  readonly leg: InboundLegSeen;
  /** Region of OUTDIAL_REGIONS whose LiveKit has it. */
  readonly region: string;
  readonly room: string;
  /** The caller's participant. */
  readonly identity: string;
}

export interface InboundCall {
  /** The bare UUID. */
  readonly callId: string;
  readonly accountId: string;
}

interface LineOfCall {
  readonly accountId: string;
  readonly gatewayId: string;
  readonly sipRegion: string;
  readonly agentId: string | null;
  readonly versionId: string | null;
  readonly allowedByGateway: readonly string[];
  readonly allowedByRule: readonly string[];
  readonly hidesCallers: boolean;
  readonly headersToAttributes: unknown;
  /** Whom the account called in so many days is given the agent and the metadata of that call; null: nobody is. */
  readonly matchRecentDays: number | null;
  readonly isSuspended: boolean;
  readonly isGranted: boolean;
}

/**
 * The line by which a call comes in. A transaction that forbids the account's calls at this moment either commits first, and is seen
 * here, or comes after this one, and hangs this call up with those that are live.
 */
async function lockLineOf(tx: Db, leg: InboundLegSeen): Promise<LineOfCall | null> {
  const found = await lineOf(tx, leg);
  if (found === null) return null;
  await sql`select share_dialing_lock(${found.accountId})`.execute(tx);
  // A statement of its own: it sees what was committed until the lock was held.
  return lineOf(tx, leg);
}

async function lineOf(tx: Db, { ruleId, number }: InboundLegSeen): Promise<LineOfCall | null> {
  const { rows } = await sql<LineOfCall>`
    select r.account_id as "accountId", g.id as "gatewayId", g.sip_region as "sipRegion", r.agent_id as "agentId",
      d.version_id as "versionId", g.allowed_numbers as "allowedByGateway", r.allowed_numbers as "allowedByRule",
      r.hide_phone_number as "hidesCallers", r.headers_to_attributes as "headersToAttributes",
      r.match_recent_days as "matchRecentDays",
      c.suspended_at is not null as "isSuspended", is_granted(n.account_id, 'number', n.e164) as "isGranted"
    from rule_numbers n
    join accounts c on c.id = n.account_id
    join routing_rules r on r.id = n.rule_id and r.account_id = n.account_id
    join number_gateways l on l.number_id = n.number_id and l.direction = 'inbound' and l.account_id = n.account_id
    join gateways g on g.id = l.gateway_id and g.account_id = n.account_id
    left join agents a on a.id = r.agent_id and a.account_id = r.account_id and a.status = 'active'
    left join deployments d on d.id = a.deployment_id and d.account_id = a.account_id
    where n.rule_id = ${ruleId} and n.e164 = ${number} and n.type = 'inbound'`.execute(tx);
  return rows[0] ?? null;
}

const notLetIn = [
  'account_suspended',
  'not_granted',
  'caller_not_allowed',
  'address_not_allowed',
  'agent_inactive',
] as const satisfies readonly EndReason[];
type Refusal = (typeof notLetIn)[number];

/** Whether the caller is one that gateway and rule let through. */
function isCallerAllowed(
  { allowedByGateway, allowedByRule, hidesCallers }: LineOfCall,
  caller: string | null,
): boolean {
  const allowed = commonAllowedNumbers(allowedByGateway, allowedByRule);
  if (allowed === null) return false;
  // Whole numbers LiveKit has compared already, and to a number that it keeps to itself only LiveKit can.
  if (caller === null && hidesCallers && areWholeNumbers(allowed)) return true;
  return isNumberAllowed(allowed, caller ?? '');
}

/** Why a caller is not let in; null if they are. What LiveKit's trunk lets through is checked again here. */
function refusalOf(line: LineOfCall, leg: InboundLegSeen): Refusal | null {
  if (line.isSuspended) return 'account_suspended';
  if (!line.isGranted) return 'not_granted';
  if (claimsRange(leg)) return 'address_not_allowed';
  return isCallerAllowed(line, leg.caller) ? null : 'caller_not_allowed';
}

/** The earlier call that is called back about; null if the rule matches none, or the caller says no whole number. */
async function earlierCall(tx: Db, line: LineOfCall, { caller, number }: InboundLegSeen): Promise<RecentCall | null> {
  const { accountId, matchRecentDays: days } = line;
  if (days === null || caller === null || !isE164(caller)) return null;
  await lockPerson(tx, accountId, caller);
  return recentCallTo(tx, { accountId, caller, number, days });
}

/** Who speaks: the agent of the earlier call if it is still active, else that of the rule. */
const speakerOf = (line: LineOfCall, earlier: RecentCall | null): Pick<LineOfCall, 'agentId' | 'versionId'> =>
  earlier !== null && earlier.versionId !== null ? earlier : line;

/**
 * The call of an inbound leg: the first process that sees it makes it, the others find it. It runs the version of its agent that
 * is live now; whom the account called lately gets the agent and the metadata of that call, if the rule says so. A caller who is not allowed, or whose agent is not active, has a call as well; its leg is hung up.
 *
 * @returns null if no rule of that number is known
 */
export async function inboundCall(db: Db, seen: SeenInRoom): Promise<InboundCall | null> {
  return db.transaction().execute(async (tx) => {
    const { leg, region, room, identity } = seen;
    const line = await lockLineOf(tx, leg);
    if (line === null) return null;
    const { accountId } = line;
    const callId = uuidv7();
    // The second one waits here for the first, and then finds its call.
    const made = await sql`
      insert into inbound_legs (call_id, account_id, region, sip_call_id, room, identity)
      values (${callId}, ${accountId}, ${region}, ${leg.sipCallId}, ${room}, ${identity})
      on conflict (account_id, sip_call_id) do nothing returning call_id`.execute(tx);
    if (made.rows.length === 0) {
      const { rows } = await sql<InboundCall>`
        select call_id as "callId", account_id as "accountId" from inbound_legs
        where account_id = ${accountId} and sip_call_id = ${leg.sipCallId}`.execute(tx);
      return rows[0] ?? null;
    }
    const notAllowed = refusalOf(line, leg);
    const earlier = notAllowed === null ? await earlierCall(tx, line, leg) : null;
    const { agentId, versionId } = speakerOf(line, earlier);
    const refusal = notAllowed ?? (agentId !== null && versionId === null ? 'agent_inactive' : null);
    // What the account has stored of a person weighs more than what a caller's headers say.
    const fromHeaders = metadataOf(leg.attributes, allowedHeaderAttributes(line.headersToAttributes));
    const metadata = { ...fromHeaders, ...(isObject(earlier?.metadata) ? earlier.metadata : {}) };
    const language = earlier?.language ?? null;
    const options = language === null ? null : JSON.stringify({ language });
    await sql`
      insert into calls (id, account_id, position, type, to_number, from_number, rule_id, gateway_id, agent_id, version_id,
        region, room_id, metadata, options, time_zones, callback_of, status, created_at)
      values (${callId}, ${accountId}, 0, 'inbound', ${leg.number}, ${leg.caller ?? hiddenCaller}, ${leg.ruleId},
        ${line.gatewayId}, ${agentId}, ${versionId}, ${line.sipRegion}, own_room(${accountId}, ${room}),
        ${asJson(metadata)}, ${options}::jsonb,
        ${earlier?.timeZones ?? null}, ${earlier?.callId ?? null}, 'dialing', clock_timestamp())`.execute(tx);
    // Many callers talk on one number at once, so that the attempt does not stand for the number that was called, as
    // one_live_attempt_per_number would have it, nor for a person whom this service calls.
    await sql`
      insert into call_attempts (call_id, number, account_id, gateway_id, to_number, phase, invite, due_at, claimed_by,
        claimed_at, dialed_at, room, version_id, hang_up_at, hang_up_reason)
      select id, 1, account_id, gateway_id, 'inbound ' || id, 'dialing', 1, created_at, ${inboundHolder}::uuid, created_at,
        created_at, ${room}, ${versionId}, case when ${refusal}::text is not null then created_at end, ${refusal}
      from calls where id = ${callId}`.execute(tx);
    if (earlier !== null) await noteCalledBack(tx, accountId, earlier.callId, callId);
    await announceAttempts(tx, [{ callId, attempt: 1 }]);
    return { callId, accountId };
  });
}

/** The leg is talking. A call that has been answered, or is over, stays as it is: LiveKit repeats itself after a restart. */
export async function inboundAnswered(db: Db, { callId, accountId }: InboundCall, at: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockCall(tx, accountId, callId)) === null) return;
    const { numAffectedRows } = await sql`
      update call_attempts set phase = 'answered', answered_at = greatest(${at}::timestamptz, dialed_at)
      where call_id = ${callId} and number = 1 and account_id = ${accountId} and phase = 'dialing'
        and hang_up_at is null`.execute(tx);
    if (numAffectedRows === 0n) return;
    await sql`
      update calls c set status = 'in-progress', answered_at = a.answered_at, updated_at = clock_timestamp()
      from call_attempts a
      where c.id = ${callId} and c.account_id = ${accountId} and not c.settled and a.call_id = c.id and a.number = 1`.execute(
      tx,
    );
    await announceAttempts(tx, [{ callId, attempt: 1 }]);
  });
}

/** The status of an inbound call that ended unanswered. */
function unanswered(hangUpReason: EndReason | null): AttemptStatus {
  if (hangUpReason === null) return 'missed';
  return notLetIn.some((reason) => reason === hangUpReason) ? 'rejected' : 'abandoned';
}

interface EndingLeg {
  readonly answered: boolean;
  readonly hangUpReason: EndReason | null;
  readonly transferred: boolean;
  readonly from: string;
}

/** Ends the leg of an inbound call; only the first report counts. @returns whether it was this one */
export async function inboundEnded(
  db: Db,
  { callId, accountId }: InboundCall,
  { at, callStatus, transferring }: { readonly at: Date; readonly callStatus: string; readonly transferring: boolean },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if ((await lockCall(tx, accountId, callId)) === null) return false;
    const { rows } = await sql<EndingLeg>`
      select answered_at is not null as answered, hang_up_reason as "hangUpReason",
        exists (select 1 from call_transfers t where t.call_id = a.call_id and t.status = 'transferred') as transferred,
        (select c.from_number from calls c where c.id = a.call_id) as from
      from call_attempts a
      where call_id = ${callId} and number = 1 and account_id = ${accountId} and phase in ('dialing', 'answered')`.execute(
      tx,
    );
    const [leg] = rows;
    if (leg === undefined) return false;
    const answered = leg.answered || isAnsweredStatus(callStatus);
    const status = answered ? 'answered' : unanswered(leg.hangUpReason);
    const moved: EndReason | null = leg.transferred || transferring ? 'transferred' : null;
    const reason: EndReason = moved ?? leg.hangUpReason ?? (answered ? 'caller_hung_up' : 'caller_gave_up');
    await sql`
      with ended as (
        update call_attempts
        set phase = 'ended', outcome = ${status}, permanent = true, reason = ${reason}, reported_at = clock_timestamp(),
          country = ${countryOfEnd(leg.from)},
          answered_at = case when ${answered} then coalesce(answered_at, dialed_at) end,
          ended_at = greatest(${at}::timestamptz, answered_at, dialed_at)
        where call_id = ${callId} and number = 1 and account_id = ${accountId}
        returning call_id, account_id, version_id, answered_at, ended_at
      ),
      over as (
        update inbound_legs l set open = false from ended e where l.call_id = e.call_id
      ),
      summarized as (
        insert into outbox (kind, name, workflow_id, input)
        select s.* from ended e
        join agent_versions v on v.id = e.version_id and v.summarizes
        cross join summary_start(e.account_id, e.call_id) s
        where ${answered}
      ),
      analyzed as (
        insert into outbox (kind, name, workflow_id, input)
        select s.* from ended e
        join agent_versions v on v.id = e.version_id and v.analyzes
        cross join analysis_start(e.account_id, e.call_id) s
        where ${answered}
      )
      update calls c
      set status = ${status}, attempts_made = 1, last_outcome = ${status}, reason = ${reason},
        answered_at = e.answered_at, ended_at = e.ended_at, updated_at = clock_timestamp(),
        talk_seconds = extract(epoch from e.ended_at - e.answered_at)
      from ended e where c.id = e.call_id and not c.settled`.execute(tx);
    await announceAttempts(tx, [{ callId, attempt: 1 }]);
    return true;
  });
}
