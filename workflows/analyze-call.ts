import { ActivityFailure, isCancellation, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { AnalysisError } from '../domain/agent/call-analysis.js';
import type { AnalyzeCallInput } from '../domain/workflow/contract.js';
import { outsideQueue } from '../domain/workflow/task-queues.js';
import { waitForTranscript } from './wait-for-transcript.js';

// A model is asked up to three times, a minute each; it says that it lives between them. One that is busy or away is asked again
// for six hours.
const asked = {
  startToCloseTimeout: '4 minutes',
  heartbeatTimeout: '75 seconds',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
} as const;

const { settleAnalysis } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
});

/** Finds out what an answered call came to, as its agent's config asks, and tells the account's webhooks, or why it is not known. */
export async function analyzeCall(input: AnalyzeCallInput): Promise<AnalysisError | null> {
  const { makeAnalysis } = proxyActivities<Activities>({ ...asked, taskQueue: outsideQueue(workflowInfo().taskQueue) });
  await waitForTranscript(input);
  const problem = await makeAnalysis(input).catch((error: unknown): AnalysisError => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'unavailable';
  });
  await settleAnalysis({ ...input, problem });
  return problem;
}
