import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { RunCampaignInput } from '../domain/workflow/contract.js';

const { runCampaign: carryOut } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

const startTime = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** The instant at which the schedule wanted it; Temporal tells it to what it starts. */
const scheduledAt = (): string =>
  (workflowInfo().typedSearchAttributes.get(startTime) ?? workflowInfo().startTime).toISOString();

/** One run of a campaign: of its schedule, or one that was asked for. */
export async function runCampaign(input: RunCampaignInput): Promise<void> {
  await carryOut(input, input.askedAt ?? scheduledAt());
}
