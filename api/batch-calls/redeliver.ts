import { z } from 'zod';
import { askForRedelivery, findDeliveryOfBatch } from '../../db/queries/webhooks/deliveries-list.js';
import { conflict, notFound } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { requireBatchStats } from './detail.js';
import { batchIdParams } from './schema.js';
import { WebhookDelivery, webhookDeliveryBody } from './webhook-delivery.js';

/** POST /v1/batch-calls/{batchId}/webhook-deliveries/{deliveryId}/redeliver */
export const redeliverBatchWebhook = operation({
  name: 'batchCalls.redeliverWebhook',
  method: 'POST',
  url: '/v1/batch-calls/:batchId/webhook-deliveries/:deliveryId/redeliver',
  family: 'batch-calls',
  tag: 'Batch calls',
  schema: {
    summary: 'Deliver a webhook again',
    description:
      'The same body is sent again under the same `webhook-id`, to the same endpoint, and tried for another day if ' +
      'it is not accepted. 409 while the delivery is `pending`: it is already being tried.',
    params: batchIdParams.extend({ deliveryId: z.string().describe('Id of the delivery, `whd_…`') }),
    body: z.strictObject({}).meta({ examples: [{}] }),
    response: { 202: WebhookDelivery },
    errors: [409],
  },

  async handler({ params: { batchId, deliveryId }, caller }, deps) {
    const { accountId } = caller;
    const delivery = await deps.database.db.transaction().execute(async (tx) => {
      await requireBatchStats(tx, accountId, batchId);
      if ((await findDeliveryOfBatch(tx, accountId, batchId, deliveryId)) === null) throw deliveryNotFound();
      if (!(await askForRedelivery(tx, accountId, deliveryId))) throw conflict('This delivery is under way already');
      await recordAudit(tx, caller, 'batch-call.redeliver-webhook', batchId, { deliveryId });
      return findDeliveryOfBatch(tx, accountId, batchId, deliveryId);
    });
    if (delivery === null) throw deliveryNotFound();
    deps.temporal.kick();
    return { status: 202, body: webhookDeliveryBody(delivery) };
  },
});

const deliveryNotFound = () => notFound('Webhook delivery not found');
