import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { ClaimedInvite, ClaimKey } from './claim-key.js';

/**
 * Gives claimed attempts back to the queue, nothing consumed: claimed → queued, due again after the delay. Attempts that have
 * changed hands since stay as they are.
 *
 * @param delaySeconds 0 or more; keeps a cause that lasts (provider down, agent gone) from being tried all the time
 */
export async function releaseAttempts(db: Db, keys: readonly ClaimKey[], delaySeconds: number): Promise<void> {
  await sql`
    update call_attempts a
    set phase = 'queued', claimed_by = null, dial_at = null,
      due_at = case when ${delaySeconds}::float8 = 0 then a.due_at
        else clock_timestamp() + make_interval(secs => ${delaySeconds}::float8) end
    from unnest(${keys.map((key) => key.callId)}::uuid[], ${keys.map((key) => key.attempt)}::smallint[],
      ${keys.map((key) => key.claimId)}::uuid[]) as z (call_id, number, claim_id)
    where a.call_id = z.call_id and a.number = z.number and a.phase = 'claimed' and a.claim_id = z.claim_id`.execute(
    db,
  );
}

/**
 * Gives back claimed attempts that were at the gate when its answer was lost. The gate may still be at work: either it has let
 * them out and this waits for its commit, or it finds their claims void.
 *
 * @returns the claims of attempts that had passed: they are `dialing`, at this INVITE
 */
export async function giveBackUnsent(db: Db, attempts: readonly ClaimedInvite[]): Promise<string[]> {
  await releaseAttempts(db, attempts, 0);
  // A separate statement, so that it sees what a gate has committed that the release waited for.
  const { rows } = await sql<{ claimId: string }>`
    select a.claim_id as "claimId"
    from unnest(${attempts.map((key) => key.callId)}::uuid[], ${attempts.map((key) => key.attempt)}::smallint[],
      ${attempts.map((key) => key.invite)}::smallint[], ${attempts.map((key) => key.claimId)}::uuid[])
      as z (call_id, number, invite, claim_id)
    join call_attempts a on a.call_id = z.call_id and a.number = z.number and a.invite = z.invite
      and a.claim_id = z.claim_id
    where a.phase = 'dialing'`.execute(db);
  return rows.map((row) => row.claimId);
}
