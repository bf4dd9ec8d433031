import { proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/create-activities.js';
import { deliveryLifeSeconds, nextDeliveryDelaySeconds } from '../domain/webhooks/retry.js';
import type { DeliverWebhookInput } from '../domain/workflow/contract.js';
import { outsideQueue } from '../domain/workflow/task-queues.js';

// The endpoint's refusals are results; what fails here is ours (Postgres), and is tried for ever.
const options = {
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 ms', maximumInterval: '30 seconds' },
} as const;
const { deliveryProgress, failDelivery } = proxyActivities<Activities>(options);

/** Delivers a webhook, for a day at most. Goes on where an earlier run, or one in another server's history, ended. */
export async function deliverWebhook(input: DeliverWebhookInput): Promise<{ readonly delivered: boolean } | undefined> {
  const { tryDelivery } = proxyActivities<Activities>({
    ...options,
    taskQueue: outsideQueue(workflowInfo().taskQueue),
  });
  const progress = await deliveryProgress(input);
  if (progress === null) return undefined;
  // An older one was requested again, or could not be delivered in its day: it gets a day from now.
  const ageMs = Date.now() - Date.parse(progress.createdAt);
  const sinceMs = Date.now() - (ageMs >= 0 && ageMs < deliveryLifeSeconds * 1000 ? ageMs : 0);
  for (let tries = progress.tries + 1; ; tries += 1) {
    if (await tryDelivery(input)) return { delivered: true };
    const delaySeconds = nextDeliveryDelaySeconds(tries, (Date.now() - sinceMs) / 1000);
    if (delaySeconds === null) break;
    setCurrentDetails(`Try ${tries} was not taken; the next is in ${delaySeconds} s.`);
    await sleep(delaySeconds * 1000, { summary: `before try ${tries + 1}` });
  }
  await failDelivery(input);
  return { delivered: false };
}
