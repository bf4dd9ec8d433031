import { deleteSipWebhook } from '../../db/queries/telephony/sip-webhooks.js';
import { notFound } from '../../domain/errors.js';
import { recordAudit } from '../audit.js';
import { doneWith } from '../done.js';
import { operation } from '../operation.js';
import { sipWebhookParams } from './schema.js';

const message = 'The webhook has been deleted';

/** DELETE /v2/sip/webhooks/{webhookId} */
export const removeSipWebhook = operation({
  name: 'sipWebhooks.delete',
  method: 'DELETE',
  url: '/v2/sip/webhooks/:webhookId',
  family: 'sip',
  tag: 'SIP webhooks',
  schema: {
    summary: 'Delete a SIP webhook',
    description: 'Nothing more is sent to it; events that wait for another try are dropped.',
    params: sipWebhookParams,
    response: { 200: doneWith(message) },
  },

  async handler({ params: { webhookId }, caller }, { database: { db } }) {
    await db.transaction().execute(async (tx) => {
      if (!(await deleteSipWebhook(tx, caller.accountId, webhookId))) throw notFound('Webhook not found');
      await recordAudit(tx, caller, 'sip-webhook.delete', webhookId);
    });
    return { status: 200, body: { message } };
  },
});
