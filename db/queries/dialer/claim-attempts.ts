import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimKey } from './attempt-key.js';

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
export interface ClaimedAttempt {
  readonly call_id: string;
  readonly number: number;
  /** Under which claim this process has it. */
  readonly claim_id: string;
  /** How often it has passed the gate so far. */
  readonly invite: number;
  readonly account_id: string;
  readonly batch_id: string | null;
  readonly to_number: string;
  readonly from_number: string;
  readonly do_not_call: boolean;
  readonly free_tries: number;
  readonly options: CallOptions | null;
  /** How the callee appears in the room. */
  readonly participant: { readonly id?: string; readonly name?: string } | null;
  readonly gateway_id: string;
  /** Of the gateway as it was read here; the gate compares it if the operator asks for grants. */
  readonly gateway_version: string;
  readonly address: string;
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly auth_username: string | null;
  readonly auth_password_sealed: string | null;
  readonly media_encryption: 'enable' | 'disable';
  readonly sip_region: string;
  readonly from_host: string | null;
  readonly gateway_headers: Readonly<Record<string, string>>;
  readonly number_format: 'e164' | 'e164_without_plus' | 'national';
  readonly ring_timeout_seconds: number;
  readonly max_call_seconds: number;
  readonly room_type: 'static' | 'dynamic';
  readonly room_prefix: 'blank' | 'participantNumber' | 'sipNumber' | 'random';
  readonly rule_room_id: string | null;
  readonly rule_headers: Readonly<Record<string, string>>;
  readonly include_headers: 'NONE' | 'SIP_X_HEADERS' | 'ALL';
  readonly hide_phone_number: boolean;
  readonly dtmf: boolean;
  readonly gateway_dtmf: boolean;
  readonly recording: boolean;
  readonly gateway_record: boolean;
  /** Callees that the rule allows; empty: all. */
  readonly allowed_numbers: readonly string[];
  /** Callees that the gateway allows; empty: all. */
  readonly gateway_allowed_numbers: readonly string[];
}

/** What an INVITE is made of, for the attempt aliased `a` and its call `c`. Also read when a leg is taken over. */
export const orderColumns = sql`
  a.call_id, a.number, a.claim_id, a.invite, c.account_id, c.batch_id, c.to_number, c.from_number, a.free_tries, c.options, c.participant,
  exists (select 1 from do_not_call n where n.account_id = c.account_id and n.e164 = c.to_number) as do_not_call,
  c.gateway_id, gateway_version(g) as gateway_version, g.address, g.transport, g.auth_username, g.auth_password_sealed, g.media_encryption, g.sip_region,
  g.from_host, g.headers as gateway_headers, g.number_format, g.ring_timeout_seconds, g.max_call_seconds,
  r.room_type, r.room_prefix, r.room_id as rule_room_id, r.headers as rule_headers, r.include_headers, r.hide_phone_number, r.dtmf,
  g.enable_dtmf as gateway_dtmf, r.recording, g.record as gateway_record, r.allowed_numbers, g.allowed_numbers as gateway_allowed_numbers`;

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
    select claimed_call_id as "callId", claimed_number as number, claimed_claim_id as "claimId"
    from claim_attempts(${processId}, ${most}, ${[...agentRegions]}::text[])`.execute(db);
  if (claimed.rows.length === 0) return [];
  // A statement of its own: inside the claim's, rows queued since that statement began could not be seen, though the
  // function claims them.
  const { rows } = await sql<ClaimedAttempt>`
    select ${orderColumns}
    from unnest(${claimed.rows.map((row) => row.callId)}::uuid[], ${claimed.rows.map((row) => row.number)}::smallint[],
      ${claimed.rows.map((row) => row.claimId)}::uuid[]) as z (call_id, number, claim_id)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number and a.claim_id = z.claim_id
    ${orderJoins}`.execute(db);
  return rows;
}

/** Attempts that this process claimed so long ago that it must have given each a slot, or given it back. */
export async function oldClaims(db: Db, processId: string, olderThanSeconds: number): Promise<ClaimKey[]> {
  const { rows } = await sql<ClaimKey>`
    select call_id as "callId", number, claim_id as "claimId" from call_attempts
    where claimed_by = ${processId} and phase = 'claimed'
      and claimed_at < clock_timestamp() - make_interval(secs => ${olderThanSeconds})`.execute(db);
  return rows;
}

/** Milliseconds until some gateway is worth a claim; 0 or less: now; null: only an event can change anything. */
export async function nextClaimInMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(next_claim_at) - clock_timestamp())::float8 * 1000 as ms
    from gateway_admission where next_claim_at < 'infinity'`.execute(db);
  return rows[0]?.ms ?? null;
}
