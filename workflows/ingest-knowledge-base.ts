import { proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import type { IngestKnowledgeBaseInput } from '../domain/workflow/contract.js';
import { documentsQueue, outsideQueue } from '../domain/workflow/task-queues.js';

// A fault of the document is a result. A failure is ours (Postgres), and is retried for ever.
const watched = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
} as const;

/** Waits before the next tries to fetch a URL that could not be reached. */
const pausesSeconds = [5, 30, 120] as const;

/** Fetches the document of a knowledge base if it has a URL, and reads it into passages. */
export async function ingestKnowledgeBase(input: IngestKnowledgeBaseInput): Promise<void> {
  const own = workflowInfo().taskQueue;
  const { fetchDocument } = proxyActivities<Activities>({ ...watched, taskQueue: outsideQueue(own) });
  for (const [index, pause] of [...pausesSeconds, null].entries()) {
    if ((await fetchDocument({ ...input, lastTry: pause === null })) === 'done' || pause === null) break;
    setCurrentDetails(`Try ${index + 1} could not reach the URL; the next is in ${pause} s.`);
    await sleep(pause * 1000, { summary: `before try ${index + 2}` });
  }
  const { readDocument } = proxyActivities<Activities>({ ...watched, taskQueue: documentsQueue(own) });
  await readDocument(input);
}
