import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/client.js';
import { backlogOf, type Backlog } from '../../db/queries/upkeep/backlog.js';
import { sharedAnswer } from './shared-answer.js';

const figures = [
  ['outdial_gateways_suspended', 'Outbound gateways that are suspended.', 'gatewaysSuspended'],
  [
    'outdial_due_attempts_oldest_seconds',
    'How long the longest waiting attempt could have been dialed; of what is neither paused nor stopped.',
    'oldestDueSeconds',
  ],
  [
    'outdial_attempts_unreported_oldest_seconds',
    'How long the end of an attempt has waited to be told to its workflow.',
    'oldestUnreportedSeconds',
  ],
  ['outdial_outbox_oldest_seconds', 'How long something has waited to be handed to Temporal.', 'oldestOutboxSeconds'],
  [
    'outdial_webhook_deliveries_pending',
    'Webhook deliveries that have not arrived and are still tried, counted up to 10,000.',
    'deliveriesPending',
  ],
  [
    'outdial_webhook_deliveries_oldest_seconds',
    'For how long the oldest webhook delivery that is still tried has been tried, since it was asked for last.',
    'oldestDeliverySeconds',
  ],
  [
    'outdial_transcripts_unread',
    'Transcripts whose words no search finds yet, counted up to 10,000.',
    'transcriptsUnread',
  ],
] as const satisfies readonly (readonly [string, string, keyof Backlog])[];

/**
 * Adds metrics of what the service still has to do, over all accounts, queried once whenever the metrics are read. Each worker
 * says the same. While the database is away, or does not answer, they are missing: a figure of before would look like
 * one of now.
 */
export function observeBacklog(registry: Registry, db: Db, withinMs?: number): void {
  const registers = [registry];
  /** All gauges are read at once: they share one query. */
  const ask = sharedAnswer(() => backlogOf(db), withinMs);

  for (const [name, help, key] of figures) {
    const gauge: Gauge = new Gauge({
      ...{ name, help, registers },
      collect: async () => {
        const backlog = await ask();
        if (backlog === undefined) gauge.remove();
        else gauge.set(backlog[key]);
      },
    });
  }
  const batches = new Gauge<'status' | 'paused'>({
    name: 'outdial_batches_unfinished',
    help: 'Batch calls that are not over, by status, and whether running ones are paused.',
    labelNames: ['status', 'paused'],
    registers,
    collect: async () => {
      const backlog = await ask();
      batches.reset();
      for (const { status, paused, count } of backlog?.batches ?? [])
        batches.set({ status, paused: String(paused) }, count);
    },
  });
}
