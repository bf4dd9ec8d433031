import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { carrierOf, type Ready } from '../up/ready.js';
import { createApi } from './api-client.js';
import { mostRecords, type Outcome, settledOf, whatDidNotHold } from './outcome.js';
import type { Progress } from './progress.js';
import { prepareSetting } from './setting.js';
import { Batch, CallRecord, CarrierStats, finalStatuses, RejectedRow, Stats } from './shapes.js';
import { receiveWebhooks, type WebhookReceiver } from './webhook-receiver.js';

export interface MainJob {
  readonly ready: Ready;
  readonly file: string;
  readonly progress: Progress;
  readonly say: (line: string) => void;
}

const retry = { retryOn: ['failed', 'not-answered', 'rejected', 'missed', 'abandoned'], retryDelays: [2, 4] };
const pollEveryMs = 250;
/** Longer than the longest simulated call and the longest retry delay. */
const stalledMs = 60_000;
const webhookWithinMs = 30_000;

/** Does a customer's work over the public HTTP API: uploads a file, follows the batch to its end, takes the webhooks. */
export async function runMainJob({ ready, file, progress, say }: MainJob): Promise<{
  readonly outcome: Outcome;
  readonly problems: readonly string[];
}> {
  const api = createApi(ready.apiUrl, ready.token);
  // Nothing is dialed unless the service answers that it simulates.
  const carrier = () => createApi(carrierOf(ready).url, '').get('/stats', CarrierStats);
  const before = await carrier();
  const { secret } = await api.get('/v1/account/webhook-secret', z.looseObject({ secret: z.string() }));
  const setting = await prepareSetting(api);
  const receiver = await receiveWebhooks(secret);
  try {
    const since = performance.now();
    const made = await api.post('/v1/batch-calls', uploadOf(file, setting, receiver), Batch);
    say(`Uploaded ${file} as ${made.batchId}, to be called from ${setting.phoneNumber}; failures are retried twice.`);
    const stats = `/v1/batch-calls/${made.batchId}/stats`;
    let batch = made;
    let [seen, seenAt] = ['', performance.now()];
    while (!finalStatuses.includes(batch.status)) {
      await delay(pollEveryMs);
      batch = await api.get(`/v1/batch-calls/${made.batchId}`, Batch);
      const now = await api.get(stats, Stats);
      progress.show(batch, now);
      if (seen !== JSON.stringify([batch.status, now]))
        [seen, seenAt] = [JSON.stringify([batch.status, now]), performance.now()];
      else if (performance.now() - seenAt > stalledMs) throw new Error(stalled(batch, now));
      if (batch.paused === true) throw new Error(`The batch was paused: ${batch.pausedReason ?? 'no reason given'}.`);
    }
    progress.end();
    const seconds = (performance.now() - since) / 1000;
    await receiver.waitFor('batchcall-completed', webhookWithinMs);
    const outcome: Outcome = {
      batch,
      stats: await api.get(stats, Stats),
      records: await api.list(`/v1/batch-calls/${made.batchId}/records`, CallRecord, mostRecords),
      rejectedRows: await api.list(`/v1/batch-calls/${made.batchId}/rejected-rows`, RejectedRow, mostRecords),
      webhooks: receiver.received,
      links: {
        Batch: `${ready.apiUrl}/v1/batch-calls/${made.batchId}`,
        Records: `${ready.apiUrl}/v1/batch-calls/${made.batchId}/records`,
        Reference: ready.docsUrl,
        ...(ready.temporalUiUrl === null
          ? {}
          : { 'Temporal UI': `${ready.temporalUiUrl}/namespaces/default/workflows/${made.batchId}` }),
        Carrier: `${carrierOf(ready).url}/ledger`,
      },
      seconds,
    };
    return { outcome, problems: whatDidNotHold(outcome, { before, after: await carrier() }) };
  } finally {
    progress.end();
    await receiver.close();
  }
}

const stalled = ({ batchId, status }: Batch, stats: Stats): string =>
  `${batchId} has not moved for ${stalledMs / 1000} s: ${status}, ${settledOf(stats)} of ${stats.total} calls finished.`;

function uploadOf(
  file: string,
  setting: { readonly phoneNumber: string; readonly routingRuleId: string },
  receiver: WebhookReceiver,
): FormData {
  const form = new FormData();
  form.set('name', basename(file));
  form.set('phoneNumber', setting.phoneNumber);
  form.set('routingRuleId', setting.routingRuleId);
  form.set('retry', JSON.stringify(retry));
  form.set('webhook', JSON.stringify({ endpoint: receiver.url, events: ['batchcall-started', 'batchcall-completed'] }));
  form.set('file', new Blob([readFileSync(file)]), basename(file));
  return form;
}
