import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';

// No retries: a schedule starts the next round soon enough, and a round that hangs must not hold it up.
const { compareStores } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { maximumAttempts: 1 },
});

/** One round of comparing Postgres with Temporal; a schedule starts it. */
export async function watchdog(): Promise<Awaited<ReturnType<Activities['compareStores']>>> {
  return compareStores();
}
