import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimedInvite, ClaimKey } from './claim-key.js';

/**
 * Why an attempt did not pass the gate.
 *
 * - `lost`: this process no longer owns it, or its call is settled
 * - `held`: its batch is paused or cancelled, all dialing is stopped, its `notBefore` lies ahead, or the operator has not
 *   granted its number or host
 * - `late`: its slot is over
 * - `number_limit`: the number that it is dialed from has used its calls up, of the day or of the moment
 * - `guardrails_changed`: it was judged by earlier guardrails
 */
export type Refusal =
  'lost' | 'held' | 'window_closed' | 'guardrails_changed' | 'do_not_call' | 'agent_inactive' | 'number_limit' | 'late';

export interface GatedAttempt extends ClaimKey {
  /** null: it passed, and must be dialed now. */
  readonly refusal: Refusal | null;
  /** How late after its slot the gate checked it; null without a slot. */
  readonly lateMs: number | null;
  /** Milliseconds until its window or calling hours end; null if they do not. By then its INVITE has left, or it does not. */
  readonly closesInMs: number | null;
}

/** An attempt before the gate. `invite` is the one about to be made. */
export interface AttemptAtGate extends ClaimedInvite {
  readonly room: string;
  /** Revision of the guardrails that let it through. */
  readonly revision: string;
  /** End of the calling hours that it was judged to lie in; null without calling hours. */
  readonly until: Date | null;
  /** `gateway_version` of the gateway that its INVITE is made from; omitted or null: whatever the gateway is now. */
  readonly gatewayVersion?: string | null;
  /** The number that its INVITE is made from; omitted: the call's own. */
  readonly fromNumber?: string;
  /** How late after its slot its INVITE may leave; omitted: as dialers of earlier versions ask. */
  readonly patienceMs?: number;
}

/** The last check before the INVITE (db/functions/gate-attempts.sql). */
export async function gateAttempts(
  db: Db,
  processId: string,
  attempts: readonly AttemptAtGate[],
): Promise<GatedAttempt[]> {
  const { rows } = await sql<GatedAttempt>`
    -- prepared
    select gated_call_id as "callId", gated_number as attempt, gated_claim_id as "claimId", refusal,
      late_ms as "lateMs", closes_in_ms as "closesInMs"
    from gate_attempts(${processId}, ${attempts.map((attempt) => attempt.callId)}::uuid[],
      ${attempts.map((attempt) => attempt.attempt)}::smallint[], ${attempts.map((attempt) => attempt.invite)}::smallint[],
      ${attempts.map((attempt) => attempt.room)}::text[], ${attempts.map((attempt) => attempt.revision)}::bigint[],
      ${attempts.map((attempt) => attempt.until)}::timestamptz[],
      ${attempts.map((attempt) => attempt.claimId)}::uuid[],
      ${attempts.map((attempt) => attempt.gatewayVersion ?? null)}::text[],
      ${attempts.map((attempt) => attempt.patienceMs ?? null)}::float8[],
      ${attempts.map((attempt) => attempt.fromNumber ?? null)}::text[])`.execute(db);
  return rows;
}
