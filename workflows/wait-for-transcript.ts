import { ActivityFailure, condition, isCancellation, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import { transcriptClosed } from './signals.js';

interface TranscriptOf {
  readonly accountId: string;
  /** The bare UUID. */
  readonly callId: string;
}

const { isTranscriptOpen } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '5 seconds' },
});

/** An agent ends its session within this time of the hang-up; one that was killed never signals it. */
const transcriptWithin = '20 seconds';

/** A call may end before its agent has stored the last lines of the transcript, which belong in what is made of it. */
export async function waitForTranscript(input: TranscriptOf): Promise<void> {
  let isClosed = false;
  setHandler(transcriptClosed, () => {
    isClosed = true;
  });
  // What is made without the last line is better than none.
  const isOpen = await isTranscriptOpen(input).catch((error: unknown) => {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return false;
  });
  if (isOpen) await condition(() => isClosed, transcriptWithin);
}
