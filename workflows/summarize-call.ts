import { ActivityFailure, condition, isCancellation, patched, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { SummaryError } from '../domain/agent/call-summary.js';
import type { SummarizeCallInput } from '../domain/workflow/contract.js';
import { transcriptClosed } from './signals.js';

// A model that is busy or away is asked again for six hours; the webhook should have been sent by then.
const { makeSummary } = proxyActivities<Activities>({
  startToCloseTimeout: '90 seconds',
  scheduleToCloseTimeout: '6 hours',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '10 minutes' },
});

const { isTranscriptOpen } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '5 seconds' },
});

const { settleSummary } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
});

/** An agent ends its session within this time of the hang-up; one that was killed never signals it. */
const transcriptWithin = '20 seconds';

/** A call may end before its agent has stored the last lines of the transcript, which belong in the summary. */
async function waitForTranscript(input: SummarizeCallInput): Promise<void> {
  let isClosed = false;
  setHandler(transcriptClosed, () => {
    isClosed = true;
  });
  // A summary without the last line is better than none.
  const isOpen = await isTranscriptOpen(input).catch((error: unknown) => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return false;
  });
  if (isOpen) await condition(() => isClosed, transcriptWithin);
}

/** Makes the summary of an answered call, and sends the agent's webhook with it, or with the reason for its absence. */
export async function summarizeCall(input: SummarizeCallInput): Promise<SummaryError | null> {
  if (patched('last-words-are-waited-for')) await waitForTranscript(input);
  const problem = await makeSummary(input).catch((error: unknown): SummaryError => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return 'unavailable';
  });
  await settleSummary({ ...input, problem });
  return problem;
}
