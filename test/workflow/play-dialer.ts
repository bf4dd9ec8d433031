import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import type { ClaimedInvite } from '../../db/queries/dialer/claim-key.js';
import { writeEnds, writeProgress } from '../../db/queries/dialer/commit-progress.js';
import { lockForProgress } from '../../db/queries/dialer/lock-for-progress.js';
import type { UnreportedAttempt } from '../../db/queries/dialer/report-attempts.js';
import type { AttemptKey } from '../../domain/call/attempt-key.js';
import type { AttemptStatus } from '../../domain/call/call.js';
import { dependsOnAnalysis } from '../../domain/call/retry.js';

/** An attempt in the queue, as a dialer would see it. */
export interface QueuedAttempt extends AttemptKey {
  readonly to: string;
  readonly batchId: string | null;
  readonly position: number;
}

export async function queuedAttempts(db: Db, batchId: string | null): Promise<QueuedAttempt[]> {
  const { rows } = await sql<QueuedAttempt>`
    select call_id as "callId", number as attempt, to_number as to, batch_id as "batchId", position from call_attempts
    where phase = 'queued' and batch_id is not distinct from ${batchId}::text order by position, number`.execute(db);
  return rows;
}

const held = sql`phase in ('dialing', 'ringing', 'answered')`;

/**
 * The claim and the gate are played: what retries wait for in skipped time is not due by the clock of the database. Locks as the
 * gate does, the calls by id before their attempts.
 */
async function dial(db: Db, callIds: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select from calls where id = any (${callIds}::uuid[]) order by id for no key update`.execute(tx);
    await sql`
      with dialed as (
        update call_attempts set phase = 'dialing', invite = invite + 1, claimed_by = ${uuidv7()}, claimed_at = now(),
          dialed_at = now()
        where call_id = any (${callIds}::uuid[]) and phase in ('queued', 'claimed')
        returning call_id)
      update calls set status = 'dialing', next_attempt_at = null
      where id in (select call_id from dialed) and not settled`.execute(tx);
  });
}

/** The legs of these calls that a dialer holds. */
async function legsOf(
  db: Db,
  callIds: readonly string[],
): Promise<{ readonly key: ClaimedInvite; readonly batchId: string | null }[]> {
  const { rows } = await sql<ClaimedInvite & { batchId: string | null }>`
    select call_id as "callId", number as attempt, invite, claim_id as "claimId", batch_id as "batchId" from call_attempts
    where call_id = any (${callIds}::uuid[]) and ${held}`.execute(db);
  return rows.map(({ batchId, ...key }) => ({ key, batchId }));
}

/** Takes attempts out of the queue as far as this phase. */
export async function moveTo(
  db: Db,
  attempts: readonly QueuedAttempt[],
  phase: 'claimed' | 'dialing' | 'answered',
): Promise<void> {
  const ids = attempts.map((attempt) => attempt.callId);
  if (phase === 'claimed') {
    await sql`
      update call_attempts set phase = 'claimed', claimed_by = ${uuidv7()}, claimed_at = now()
      where call_id = any (${ids}::uuid[]) and phase = 'queued'`.execute(db);
    return;
  }
  await dial(db, ids);
  if (phase === 'dialing') return;
  await db.transaction().execute(async (tx) => {
    const legs = await legsOf(tx, ids);
    await lockForProgress(tx, legs);
    await writeProgress(
      tx,
      legs.map(({ key, batchId }) => ({ ...key, batchId, answeredAt: new Date() })),
    );
  });
}

const reasons = {
  answered: 'callee_hung_up',
  abandoned: 'agent_missing',
  'not-answered': 'sip_480',
  rejected: 'sip_486',
  missed: 'sip_487',
  failed: 'sip_500',
} as const;

const answerers = ['human', 'machine', 'unknown', null] as const;

/**
 * Commits how attempts ended, with the dialer's own queries. Those that were not dialed are dialed first.
 *
 * @returns what the workflows have to hear
 */
export async function endAttempts(
  db: Db,
  attempts: readonly QueuedAttempt[],
  status: AttemptStatus,
  retryInSeconds: number | null = null,
  now: Date = new Date(),
): Promise<UnreportedAttempt[]> {
  const ids = attempts.map((attempt) => attempt.callId);
  await dial(db, ids);
  const retryAt = retryInSeconds === null ? null : new Date(now.getTime() + retryInSeconds * 1000);
  return db.transaction().execute(async (tx) => {
    const before = await lockForProgress(tx, await legsOf(tx, ids));
    const ends = [...before.values()].map(({ callId, attempt, invite, claimId, cancelling, retry }, index) => ({
      ...{ callId, attempt, invite, claimId, status, reason: reasons[status], permanent: false },
      ...{
        sipStatusCode: null,
        sipPhrase: null,
        answeredBy: status === 'answered' ? (answerers[index % answerers.length] ?? null) : null,
        ringingAt: null,
        answeredAt: null,
        transcript: null,
      },
      endedAt: now,
      nextAttemptAt: cancelling ? null : retryAt,
      isCallback: false,
      dependsOnAnalysis: dependsOnAnalysis({ status, permanent: false }, retry, { attemptsMade: attempt }),
      dropsRetry: cancelling && retryAt !== null,
    }));
    return writeEnds(tx, ends, true);
  });
}
