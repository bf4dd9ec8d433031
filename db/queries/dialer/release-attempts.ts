import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimKey } from './attempt-key.js';

/**
 * Gives claimed attempts back to the queue, nothing consumed: claimed → queued, due again after the delay. Those that have
 * changed hands since stay as they are.
 *
 * @param delaySeconds 0 or more; keeps a cause that lasts (provider down, agent gone) from being hammered
 */
export async function releaseAttempts(db: Db, keys: readonly ClaimKey[], delaySeconds: number): Promise<void> {
  await sql`
    update call_attempts a
    set phase = 'queued', claimed_by = null, dial_at = null,
      due_at = case when ${delaySeconds}::float8 = 0 then a.due_at
        else clock_timestamp() + make_interval(secs => ${delaySeconds}::float8) end
    from unnest(${keys.map((key) => key.callId)}::uuid[], ${keys.map((key) => key.number)}::smallint[],
      ${keys.map((key) => key.claimId)}::uuid[]) as z (call_id, number, claim_id)
    where a.call_id = z.call_id and a.number = z.number and a.phase = 'claimed' and a.claim_id = z.claim_id`.execute(
    db,
  );
}
