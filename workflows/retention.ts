import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';

// A round that cannot end, because Postgres is away, makes room for the next one of the schedule.
const { deleteExpired } = proxyActivities<Activities>({
  startToCloseTimeout: '6 hours',
  scheduleToCloseTimeout: '12 hours',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 minutes' },
});

/** One round of deleting what is older than it may be; a schedule starts it. */
export async function retention(): Promise<Awaited<ReturnType<Activities['deleteExpired']>>> {
  return deleteExpired();
}
