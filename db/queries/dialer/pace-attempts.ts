import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimKey } from './claim-key.js';

export interface PacedAttempt extends ClaimKey {
  /** Milliseconds until its slot; null if it got none. */
  readonly dialInMs: number | null;
  /** Milliseconds after which to ask again; null if it got a slot, or this process no longer owns it. */
  readonly askAgainInMs: number | null;
}

/**
 * Gives prepared attempts of one gateway their slots (db/functions/pace-attempts.sql).
 *
 * @param leadMs least time until the first slot
 * @param patienceMs how late after its slot an INVITE may leave; the slots lie apart accordingly
 */
export async function paceAttempts(
  db: Db,
  processId: string,
  gatewayId: string,
  keys: readonly ClaimKey[],
  leadMs = 0,
  patienceMs = 270,
): Promise<PacedAttempt[]> {
  const { rows } = await sql<PacedAttempt>`
    -- prepared
    select paced_call_id as "callId", paced_number as attempt, paced_claim_id as "claimId", dial_in_ms as "dialInMs",
      ask_again_in_ms as "askAgainInMs"
    from pace_attempts(${processId}, ${gatewayId}, ${keys.map((key) => key.callId)}::uuid[],
      ${keys.map((key) => key.attempt)}::smallint[], ${keys.map((key) => key.claimId)}::uuid[], ${leadMs}::float8,
      ${patienceMs}::float8)`.execute(db);
  return rows;
}
