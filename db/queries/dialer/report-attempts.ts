import { sql } from 'kysely';
import type { Db } from '../../client.js';
import type { AttemptKey } from '../../../domain/call/attempt-key.js';

/** The end of an attempt that its workflow has to hear of. */
export interface UnreportedAttempt extends AttemptKey {
  readonly batchId: string | null;
  readonly position: number;
  readonly callsPerWorkflow: number | null;
  /** When the next attempt is due; null if the call is settled. */
  readonly nextAttemptAt: Date | null;
}

/** Ends that were committed more than `olderThanSeconds` ago and not reported, because their dialer died. */
export async function unreportedAttempts(db: Db, olderThanSeconds: number, most: number): Promise<UnreportedAttempt[]> {
  const { rows } = await sql<UnreportedAttempt>`
    select a.call_id as "callId", a.number as attempt, a.batch_id as "batchId", a.position,
      b.calls_per_workflow as "callsPerWorkflow", a.next_attempt_at as "nextAttemptAt"
    from call_attempts a left join batches b on b.id = a.batch_id
    where a.phase = 'ended' and a.reported_at is null
      and a.ended_at < statement_timestamp() - make_interval(secs => ${olderThanSeconds})
    order by a.ended_at
    limit ${most}`.execute(db);
  return rows;
}

/** Marks ended attempts that their workflow has taken. */
export async function markReported(db: Db, keys: readonly AttemptKey[]): Promise<void> {
  await sql`
    -- prepared
    update call_attempts a set reported_at = clock_timestamp()
    from unnest(${keys.map((key) => key.callId)}::uuid[], ${keys.map((key) => key.attempt)}::smallint[]) as z (call_id, number)
    where a.call_id = z.call_id and a.number = z.number and a.phase = 'ended'`.execute(db);
}

/**
 * Keeps the attempts whose call is settled: their workflow may rightly be gone. The workflow of any other attempt that cannot
 * be found was lost; the watchdog starts it again, and it reads the end from Postgres.
 */
export async function withSettledCall<K extends AttemptKey>(db: Db, keys: readonly K[]): Promise<K[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where id = any(${keys.map((key) => key.callId)}::uuid[]) and settled`.execute(db);
  const settled = new Set(rows.map((row) => row.id));
  return keys.filter((key) => settled.has(key.callId));
}
