import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '../../db/client.js';
import type { UnreportedAttempt } from '../../db/queries/dialer/report-attempts.js';
import type { AttemptStatus } from '../../domain/call/call.js';

/** An attempt in the queue, as a dialer would see it. */
export interface QueuedAttempt {
  readonly callId: string;
  readonly number: number;
  readonly to: string;
  readonly batchId: string | null;
  readonly position: number;
}

export async function queuedAttempts(db: Db, batchId: string | null): Promise<QueuedAttempt[]> {
  const { rows } = await sql<QueuedAttempt>`
    select call_id as "callId", number, to_number as to, batch_id as "batchId", position from call_attempts
    where phase = 'queued' and batch_id is not distinct from ${batchId}::text order by position, number`.execute(db);
  return rows;
}

/** Takes attempts out of the queue as far as this phase, as the dialer does. */
export async function moveTo(
  db: Db,
  attempts: readonly QueuedAttempt[],
  phase: 'claimed' | 'dialing' | 'answered',
): Promise<void> {
  const ids = attempts.map((attempt) => attempt.callId);
  await sql`
    update call_attempts set phase = ${phase}, claimed_by = ${uuidv7()}, claimed_at = now(),
      dialed_at = case when ${phase} = 'claimed' then null else now() end
    where call_id = any (${ids}::uuid[]) and phase in ('queued', 'claimed', 'dialing')`.execute(db);
  if (phase === 'claimed') return;
  await sql`
    update calls set status = ${phase === 'dialing' ? 'dialing' : 'in-progress'}, next_attempt_at = null
    where id = any (${ids}::uuid[])`.execute(db);
}

/**
 * Commits how attempts ended, as the dialer does: the attempt, the call, what comes next, and that a cancel dropped a retry.
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
  const wanted = retryInSeconds === null ? null : new Date(now.getTime() + retryInSeconds * 1000);
  return db.transaction().execute(async (tx) => {
    const batchIds = attempts.flatMap(({ batchId }) => batchId ?? []);
    const { rows: over } = await sql<{ id: string }>`
      select id from batches where id = any (${batchIds}::text[]) and status <> 'running' for share`.execute(tx);
    const next = over.length > 0 ? null : wanted;
    if (wanted !== null && next === null) {
      await sql`update batches set cancel_dropped = true where id = any (${batchIds}::text[])`.execute(tx);
    }
    await sql`
      update calls set attempts_made = attempts_made + 1, last_outcome = ${status}, next_attempt_at = ${next},
        status = ${next === null ? status : 'retrying'}, ended_at = ${next === null ? now : null}
      where id = any (${ids}::uuid[])`.execute(tx);
    const { rows } = await sql<UnreportedAttempt>`
      update call_attempts a set phase = 'ended', outcome = ${status}, ended_at = now(), next_attempt_at = ${next}
      from calls c left join batches b on b.id = c.batch_id
      where a.call_id = any (${ids}::uuid[]) and a.phase <> 'ended' and c.id = a.call_id
      returning a.call_id as "callId", a.number, a.batch_id as "batchId", a.position,
        b.calls_per_workflow as "callsPerWorkflow", a.next_attempt_at as "nextAttemptAt"`.execute(tx);
    return rows;
  });
}
