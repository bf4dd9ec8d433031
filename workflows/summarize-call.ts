import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { SummaryError } from '../domain/call-summary.js';
import type { SummarizeCallInput } from './contract.js';

// A model that is busy or away is asked again for six hours; whoever waits for the webhook should hear by then.
const { makeSummary } = proxyActivities<Activities>({
  startToCloseTimeout: '90 seconds',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
});

const { settleSummary } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
});

/** Makes the summary of an answered call, and tells the agent's webhook of it, or that there will be none. */
export async function summarizeCall(input: SummarizeCallInput): Promise<SummaryError | null> {
  const problem = await makeSummary(input).catch((error: unknown): SummaryError => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'unavailable';
  });
  await settleSummary({ ...input, problem });
  return problem;
}
