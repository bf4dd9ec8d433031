import { ActivityFailure, isCancellation, patched, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { SummaryError } from '../domain/agent/call-summary.js';
import type { SummarizeCallInput } from '../domain/workflow/contract.js';
import { outsideQueue } from '../domain/workflow/task-queues.js';
import { waitForTranscript } from './wait-for-transcript.js';

// A model that is busy or away is asked again for six hours; the webhook should have been sent by then.
const asked = {
  startToCloseTimeout: '90 seconds',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
} as const;

const { settleSummary } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
});

/** Makes the summary of an answered call, and sends the agent's webhook with it, or with the reason for its absence. */
export async function summarizeCall(input: SummarizeCallInput): Promise<SummaryError | null> {
  const { makeSummary } = proxyActivities<Activities>({ ...asked, taskQueue: outsideQueue(workflowInfo().taskQueue) });
  if (patched('last-words-are-waited-for')) await waitForTranscript(input);
  const problem = await makeSummary(input).catch((error: unknown): SummaryError => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'unavailable';
  });
  await settleSummary({ ...input, problem });
  return problem;
}
