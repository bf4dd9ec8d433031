import type { WorkflowDoor } from '../activities/deps.js';
import type { Db } from '../db/client.js';
import { type UnreportedAttempt, withSettledCall } from '../db/queries/dialer/report-attempts.js';
import { groupOf, groupWorkflowId, singleCallWorkflowId } from '../domain/fan-out.js';
import { type EndedAttempt, signalNames } from '../workflows/contract.js';

/** Signals under way at once. */
const atOnce = 20;

function workflowOf({ batchId, callId, position, callsPerWorkflow }: UnreportedAttempt): string {
  return batchId === null
    ? singleCallWorkflowId(callId)
    : groupWorkflowId(batchId, groupOf(position, callsPerWorkflow ?? 1));
}

/**
 * Tells the workflows how attempts ended, one signal for each workflow.
 *
 * @returns those that were taken. A workflow that cannot be found counts as told where the call is settled; any other is
 * to be reported again: the watchdog builds a lost workflow anew. So is what Temporal could not be told at all.
 */
export async function reportEndedAttempts<A extends UnreportedAttempt>(
  door: Pick<WorkflowDoor, 'signal'>,
  db: Db,
  attempts: readonly A[],
  onFailure: (error: unknown) => void,
): Promise<A[]> {
  const byWorkflow = new Map<string, A[]>();
  for (const attempt of attempts) {
    const workflowId = workflowOf(attempt);
    const others = byWorkflow.get(workflowId);
    if (others === undefined) byWorkflow.set(workflowId, [attempt]);
    else others.push(attempt);
  }
  const taken: A[] = [];
  const unfound: A[] = [];
  const rest = byWorkflow.entries();
  const one = async (): Promise<void> => {
    for (const [workflowId, ended] of rest) {
      const entries = ended.map(({ callId, number, nextAttemptAt }): EndedAttempt => [
        callId,
        number,
        nextAttemptAt?.toISOString() ?? null,
      ]);
      try {
        const outcome = await door.signal(workflowId, signalNames.attemptsEnded, entries);
        (outcome === 'taken' ? taken : unfound).push(...ended);
      } catch (error) {
        onFailure(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, byWorkflow.size) }, one));
  return unfound.length === 0 ? taken : [...taken, ...(await withSettledCall(db, unfound))];
}
