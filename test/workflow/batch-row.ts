import { sql } from 'kysely';
import type { Database } from '../../db/client.js';
import { type UnreportedAttempt, withSettledCall } from '../../db/queries/dialer/report-attempts.js';
import type { EndedAttempt } from '../../domain/workflow/contract.js';
import { callWorkflowId } from '../../domain/workflow/ids.js';
import { queuedAttempts, type QueuedAttempt } from './play-dialer.js';
import { until, type WorkflowTestEnv } from './test-env.js';

export async function batchRow(database: Database, batchId: string) {
  return database.db.selectFrom('batches').selectAll().where('id', '=', batchId).executeTakeFirstOrThrow();
}

export async function statusOf(database: Database, batchId: string): Promise<string> {
  return (await batchRow(database, batchId)).status;
}

/** The API's part of a cancel: committed first, then told. */
export async function cancelBatch(
  { database, workflows }: Pick<WorkflowTestEnv, 'database' | 'workflows'>,
  batchId: string,
  mode: 'graceful' | 'immediate' = 'graceful',
): Promise<void> {
  await sql`
    update batches set status = 'cancelling', cancel_mode = ${mode}, updated_at = now() where id = ${batchId}`.execute(
    database.db,
  );
  await workflows.signal(batchId, 'cancel');
}

/** Waits until the queue holds this many attempts of a batch, and returns them. */
export async function queueOf(
  { database }: Pick<WorkflowTestEnv, 'database'>,
  batchId: string | null,
  count: number,
): Promise<QueuedAttempt[]> {
  await until(async () => (await queuedAttempts(database.db, batchId)).length === count);
  return queuedAttempts(database.db, batchId);
}

/**
 * The dialer's part after an outcome was committed: the workflows hear of it, one signal each.
 *
 * @returns those that were taken, or whose call is settled, so that no workflow has to hear of them
 */
export async function tell(
  { database, workflows }: Pick<WorkflowTestEnv, 'database' | 'workflows'>,
  ended: readonly UnreportedAttempt[],
): Promise<UnreportedAttempt[]> {
  const byWorkflow = new Map<string, UnreportedAttempt[]>();
  for (const attempt of ended) {
    const workflowId = callWorkflowId(attempt);
    byWorkflow.set(workflowId, [...(byWorkflow.get(workflowId) ?? []), attempt]);
  }
  const taken: UnreportedAttempt[] = [];
  for (const [workflowId, attempts] of byWorkflow) {
    const entries = attempts.map(({ callId, attempt, nextAttemptAt }): EndedAttempt => [
      callId,
      attempt,
      nextAttemptAt?.toISOString() ?? null,
    ]);
    const outcome = await workflows.signal(workflowId, 'attemptsEnded', entries);
    taken.push(...(outcome === 'taken' ? attempts : await withSettledCall(database.db, attempts)));
  }
  return taken;
}
