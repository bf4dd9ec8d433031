import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../db/client.js';
import { backlogOf, type Backlog } from '../../db/queries/upkeep/backlog.js';
import { within } from '../../platform/within.js';

const figures = [
  ['outdial_gateways_suspended', 'Outbound gateways that are suspended.', 'gatewaysSuspended'],
  [
    'outdial_due_attempts_oldest_seconds',
    'How long the longest waiting attempt could have been dialed; of what is not paused.',
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
    'Age of the oldest webhook delivery that is still tried.',
    'oldestDeliverySeconds',
  ],
  [
    'outdial_transcripts_unread',
    'Transcripts whose words no search finds yet, counted up to 10,000.',
    'transcriptsUnread',
  ],
] as const satisfies readonly (readonly [string, string, keyof Backlog])[];

/** Prometheus waits for ten seconds for all metrics of a process. */
export const readWithinMs = 8_000;

/**
 * Adds metrics of what the service still has to do, over all accounts, queried once whenever the metrics are read. Each worker
 * says the same. While the database is away, or does not answer, they are missing: a figure of before would look like
 * one of now.
 */
export function observeBacklog(registry: Registry, db: Db, withinMs = readWithinMs): void {
  const registers = [registry];
  let asked: Promise<Backlog | undefined> | null = null;
  /** All gauges are read at once: they share one query, also one that is not answered until they are read again. */
  const ask = (): Promise<Backlog | undefined> => {
    asked ??= backlogOf(db)
      .catch(() => undefined)
      .finally(() => {
        asked = null;
      });
    return within(withinMs, asked).catch(() => undefined);
  };

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
