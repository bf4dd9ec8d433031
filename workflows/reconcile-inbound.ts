import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';

// A round that cannot end, because LiveKit is away, makes room for the next one of the schedule.
const { mirrorInbound } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '4 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '15 seconds' },
});

/** One round of telling LiveKit which numbers take calls; started by a schedule and by every change. */
export async function reconcileInbound(): Promise<Awaited<ReturnType<Activities['mirrorInbound']>>> {
  return mirrorInbound();
}
