import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { BatchWebhookEvent } from '../../../domain/batch/webhook.js';
import { recordStatuses } from '../../../domain/call/call.js';
import { formatId } from '../../../domain/ids.js';
import type { Db } from '../../client.js';
import { addToOutbox } from '../outbox.js';

/**
 * Writes down that a batch has entered a state that its owner asked to hear of, in the transaction of the transition: the
 * payload says what is true then, and stays so however late it is delivered. Each event exists once, whatever runs twice.
 */
export async function announceBatch(tx: Db, batchId: string, event: BatchWebhookEvent): Promise<void> {
  const batch = await tx
    .selectFrom('batches')
    .select(['account_id', 'name', 'status', 'records_uploaded', 'stopped_by', 'webhook_endpoint', 'webhook_events'])
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  if (batch.webhook_endpoint === null || !batch.webhook_events.includes(event)) return;
  const counters = await tx.selectFrom('batch_counters').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  const countOf = new Map<string, unknown>(Object.entries(counters ?? {}));
  const payload = JSON.stringify({
    batchId,
    batchName: batch.name,
    status: batch.status,
    ...(batch.stopped_by === null ? {} : { stoppedBy: batch.stopped_by }),
    recordsUploaded: batch.records_uploaded,
    event,
    timestamp: new Date().toISOString(),
    counts: Object.fromEntries(
      [...recordStatuses, 'human', 'machine'].map((name) => [
        name,
        Number(countOf.get(name.replaceAll('-', '_')) ?? 0),
      ]),
    ),
  });
  const deliveryId = formatId('webhookDelivery', uuidv7());
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries (id, account_id, batch_id, event, endpoint, payload)
    values (${deliveryId}, ${batch.account_id}, ${batchId}, ${event}, ${batch.webhook_endpoint}, ${payload})
    on conflict (batch_id, event) where batch_id is not null do nothing`.execute(tx);
  if (numAffectedRows === 0n) return;
  const input = { accountId: batch.account_id, deliveryId };
  await addToOutbox(tx, { kind: 'start', name: 'deliverWebhook', input });
}
