import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { RemoveBatchInput } from '../domain/workflow/contract.js';

// What is deleted must go, however long Postgres is away: tried for ever.
const { removeBatchRows } = proxyActivities<Activities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 ms', maximumInterval: '10 seconds' },
});

/** Removes what a deleted batch has left: calls, attempts, rejected rows. */
export async function removeBatch(input: RemoveBatchInput): Promise<void> {
  await removeBatchRows(input);
}
