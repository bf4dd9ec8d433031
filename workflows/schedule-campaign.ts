import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { ScheduleCampaignInput } from '../domain/workflow/contract.js';

const { scheduleCampaign: tell } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Has Temporal's schedule follow a campaign that was made, changed or deleted. */
export async function scheduleCampaign(input: ScheduleCampaignInput): Promise<void> {
  await tell(input);
}
