import { z } from 'zod';
import { listDeliveriesOfBatch } from '../../db/queries/webhooks/deliveries-list.js';
import { operation } from '../operation.js';
import { cursorQuery, instantAndId, walk } from '../cursor.js';
import { pageOf } from '../pagination.js';
import { requireBatchStats } from './detail.js';
import { batchIdParams } from './schema.js';
import { WebhookDelivery, webhookDeliveryBody } from './webhook-delivery.js';

/** GET /v1/batch-calls/{batchId}/webhook-deliveries */
export const listBatchWebhookDeliveries = operation({
  name: 'batchCalls.listWebhookDeliveries',
  method: 'GET',
  url: '/v1/batch-calls/:batchId/webhook-deliveries',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: "List a batch call's webhook deliveries",
    description:
      'Newest first, of the batch call and of its calls (call summaries). Each lists every attempt: when, the ' +
      'answer, how long it took, what went wrong.',
    params: batchIdParams,
    query: z.object(cursorQuery),
    response: { 200: pageOf(WebhookDelivery) },
  },

  async handler({ params: { batchId }, query, caller: { accountId } }, { database: { db } }) {
    await requireBatchStats(db, accountId, batchId);
    const { rows, body } = walk(query, { accountId, list: 'deliveries', filter: { batchId } }, instantAndId);
    const deliveries = await listDeliveriesOfBatch(db, accountId, batchId, rows);
    return { status: 200, body: body(deliveries.total, deliveries.next, deliveries.rows.map(webhookDeliveryBody)) };
  },
});
