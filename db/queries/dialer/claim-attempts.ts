import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimKey } from './claim-key.js';

/** Options of POST /v2/sip/call as `calls.options` keeps them; the rule decides if both set it. */
export interface CallOptions {
  readonly ringingTimeout?: number;
  readonly maxCallDuration?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly destinationRoomId?: string;
  readonly recordAudio?: boolean;
  readonly dtmf?: boolean;
  readonly mediaEncryption?: 'enable' | 'disable';
  readonly hidePhoneNumber?: boolean;
  readonly includeHeaders?: 'NONE' | 'SIP_X_HEADERS' | 'ALL';
}

/** An attempt that this process may dial, with all that its INVITE needs. */
export interface ClaimedAttempt extends ClaimKey {
  /** How often it has passed the gate so far. */
  readonly invite: number;
  readonly accountId: string;
  readonly batchId: string | null;
  readonly toNumber: string;
  readonly fromNumber: string;
  readonly doNotCall: boolean;
  readonly options: CallOptions | null;
  /** How the callee appears in the room. */
  readonly participant: { readonly id?: string; readonly name?: string } | null;
  readonly gatewayId: string;
  /** Of the gateway as it was read here; the gate compares it if the operator asks for grants. */
  readonly gatewayVersion: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly authUsername: string | null;
  readonly authPasswordSealed: string | null;
  readonly mediaEncryption: 'enable' | 'disable';
  readonly sipRegion: string;
  readonly fromHost: string | null;
  readonly gatewayHeaders: Readonly<Record<string, string>>;
  readonly numberFormat: 'e164' | 'e164_without_plus' | 'national';
  readonly ringTimeoutSeconds: number;
  readonly maxCallSeconds: number;
  readonly roomType: 'static' | 'dynamic';
  readonly roomPrefix: 'blank' | 'participantNumber' | 'sipNumber' | 'random';
  readonly ruleRoomId: string | null;
  readonly ruleHeaders: Readonly<Record<string, string>>;
  readonly includeHeaders: 'NONE' | 'SIP_X_HEADERS' | 'ALL';
  readonly hidePhoneNumber: boolean;
  readonly dtmf: boolean;
  readonly gatewayDtmf: boolean;
  readonly recording: boolean;
  readonly gatewayRecord: boolean;
  /** Callees that the rule allows; empty: all. */
  readonly allowedNumbers: readonly string[];
  /** Callees that the gateway allows; empty: all. */
  readonly gatewayAllowedNumbers: readonly string[];
}

/** What an INVITE is made of, for the attempt aliased `a` and its call `c`. Also read when a leg is taken over. */
export const orderColumns = sql`
  a.call_id as "callId", a.number as attempt, a.claim_id as "claimId", a.invite, c.account_id as "accountId",
  c.batch_id as "batchId", c.to_number as "toNumber", coalesce(a.caller, c.from_number) as "fromNumber", c.options, c.participant,
  exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number) as "doNotCall",
  c.gateway_id as "gatewayId", gateway_version(g) as "gatewayVersion", g.address, g.transport,
  g.auth_username as "authUsername", g.auth_password_sealed as "authPasswordSealed", g.media_encryption as "mediaEncryption",
  g.sip_region as "sipRegion", g.from_host as "fromHost", g.headers as "gatewayHeaders", g.number_format as "numberFormat",
  g.ring_timeout_seconds as "ringTimeoutSeconds", g.max_call_seconds as "maxCallSeconds", g.enable_dtmf as "gatewayDtmf",
  g.record as "gatewayRecord", g.allowed_numbers as "gatewayAllowedNumbers", r.room_type as "roomType",
  r.room_prefix as "roomPrefix", r.room_id as "ruleRoomId", r.headers as "ruleHeaders",
  r.include_headers as "includeHeaders", r.hide_phone_number as "hidePhoneNumber", r.dtmf, r.recording,
  r.allowed_numbers as "allowedNumbers"`;

/** What `orderColumns` reads, joined to the attempt aliased `a`. */
export const orderJoins = sql`
    join calls c on c.id = a.call_id
    join gateways g on g.id = c.gateway_id
    join routing_rules r on r.id = c.rule_id`;

/**
 * Claims up to `most` attempts of one gateway (db/functions/claim-attempts.sql). Nothing claimed says nothing about other
 * gateways: ask `nextClaimInMs`.
 *
 * @param agentRegions whose agents take calls, the one that `auto` means first; empty: agents are always there
 */
export async function claimAttempts(
  db: Db,
  processId: string,
  most: number,
  agentRegions: readonly string[] = [],
): Promise<ClaimedAttempt[]> {
  const claimed = await sql<ClaimKey>`
    -- prepared
    select claimed_call_id as "callId", claimed_number as attempt, claimed_claim_id as "claimId"
    from claim_attempts(${processId}, ${most}, ${[...agentRegions]}::text[])`.execute(db);
  if (claimed.rows.length === 0) return [];
  // A separate statement: inside the claim's, rows queued since that statement began could not be seen, though the
  // function claims them.
  const { rows } = await sql<ClaimedAttempt>`
    -- prepared
    select ${orderColumns}
    from unnest(${claimed.rows.map((row) => row.callId)}::uuid[], ${claimed.rows.map((row) => row.attempt)}::smallint[],
      ${claimed.rows.map((row) => row.claimId)}::uuid[]) as z (call_id, number, claim_id)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number and a.claim_id = z.claim_id
    ${orderJoins}`.execute(db);
  return rows;
}

/** A claim and what it is for. */
export interface OldClaim extends ClaimKey {
  readonly accountId: string;
  readonly batchId: string | null;
  readonly gatewayId: string;
}

/** Attempts that this process claimed so long ago that it must have given each a slot, or given it back. */
export async function oldClaims(db: Db, processId: string, olderThanSeconds: number): Promise<OldClaim[]> {
  const { rows } = await sql<OldClaim>`
    select call_id as "callId", number as attempt, claim_id as "claimId", account_id as "accountId", batch_id as "batchId",
      gateway_id as "gatewayId"
    from call_attempts
    where claimed_by = ${processId} and phase = 'claimed'
      and claimed_at < clock_timestamp() - make_interval(secs => ${olderThanSeconds})`.execute(db);
  return rows;
}

/** Milliseconds until some gateway is worth a claim; 0 or less: now; null: only an event can change anything. */
export async function nextClaimInMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    -- prepared
    select extract(epoch from min(next_claim_at) - clock_timestamp())::float8 * 1000 as ms
    from gateway_admission where next_claim_at < 'infinity'`.execute(db);
  return rows[0]?.ms ?? null;
}
