import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { deliveryDelaysSeconds } from '../../domain/webhooks/retry.js';
import { type BatchBook, evidenceOfBatch } from './books.js';
import type { Customer } from './customer.js';
import { judgeWebhooks } from './judge/ends.js';
import type { ReceivedWebhook } from './judge/evidence.js';

const Deliveries = z.looseObject({
  data: z.array(z.looseObject({ status: z.string(), attempts: z.array(z.looseObject({ at: z.iso.datetime() })) })),
});
type Delivery = z.infer<typeof Deliveries>['data'][number];

/** A webhook of the last faults has been tried three times by then. */
const patienceMs = 150_000;
/** How much later than planned a try may be made. */
const lateMs = 60_000;
const pollMs = 2_000;

interface Parts {
  readonly batches: readonly BatchBook[];
  readonly received: readonly ReceivedWebhook[];
  /** @returns undefined if the account is unknown */
  readonly customerOf: (account: string) => Customer | undefined;
}

/**
 * Waits until every batch that has ended has had its webhooks, as long as they may still come: one that met several faults is
 * tried again after minutes.
 */
export async function untilWebhooks({ batches, received, customerOf }: Parts): Promise<void> {
  const sinceMs = Date.now();
  const isWhole = (batch: BatchBook): boolean =>
    batch.end === undefined ||
    batch.end === 'stuck' ||
    judgeWebhooks(evidenceOfBatch(batch), batch.end, received).length === 0;
  const mayCome = async ({ account, batchId }: BatchBook): Promise<boolean> => {
    const path = `/v1/batch-calls/${batchId}/webhook-deliveries`;
    const answer = await customerOf(account)?.ask({ method: 'GET', path });
    return Deliveries.parse(answer?.body).data.some((delivery) => isStillTried(delivery, Date.now()));
  };
  for (;;) {
    const missing = batches.filter((batch) => !isWhole(batch));
    if (missing.length === 0) return;
    if (Date.now() - sinceMs > patienceMs && !(await Promise.all(missing.map(mayCome))).includes(true)) return;
    await delay(pollMs);
  }
}

/** Whether a delivery is pending, and its next try not overdue. */
export function isStillTried({ status, attempts }: Delivery, nowMs: number): boolean {
  const last = attempts.at(-1);
  if (status !== 'pending' || last === undefined) return false;
  const waitSeconds = deliveryDelaysSeconds[attempts.length - 1] ?? Infinity;
  return nowMs <= Date.parse(last.at) + waitSeconds * 1000 + lateMs;
}
