import { setTimeout as delay } from 'node:timers/promises';
import { findDeploymentStatus } from '../../db/queries/agents/deployments.js';
import type { AppDeps } from '../operation.js';

/** How long creating an agent waits for its first deploy; one that takes longer makes the agent active later. */
const patienceMs = 5_000;
const pollMs = 50;

/**
 * Waits until the deployment has gone live or failed, for a while. Does not wait if Temporal cannot be reached: nothing
 * would happen, and an agent that is inactive at once is better than one that is inactive after a pause.
 */
export async function awaitDeployment(
  { database, temporal }: AppDeps,
  accountId: string,
  deploymentId: string,
): Promise<void> {
  const end = performance.now() + patienceMs;
  const hopeless = new AbortController();
  // Asked beside the deploy and not before it: if nothing answers, asking takes its time too.
  void temporal.isReachable().then((reachable) => {
    if (!reachable) hopeless.abort();
  });
  while ((await findDeploymentStatus(database.db, accountId, deploymentId)) === 'pending') {
    if (hopeless.signal.aborted || performance.now() >= end) return;
    await delay(pollMs);
  }
}
