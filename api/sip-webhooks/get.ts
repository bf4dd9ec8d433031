import { findSipWebhook } from '../../db/queries/telephony/sip-webhooks.js';
import { operation } from '../operation.js';
import { requireSipWebhook, SipWebhook, sipWebhookBody, sipWebhookParams } from './schema.js';

/** GET /v2/sip/webhooks/{webhookId} */
export const getSipWebhook = operation({
  name: 'sipWebhooks.get',
  method: 'GET',
  url: '/v2/sip/webhooks/:webhookId',
  family: 'sip',
  tag: 'SIP webhooks',
  schema: {
    summary: 'Get a SIP webhook',
    description: 'The secret that signs is the account’s: `GET /v1/account/webhook-secret`.',
    params: sipWebhookParams,
    response: { 200: SipWebhook },
  },

  async handler({ params: { webhookId }, caller: { accountId } }, { database: { db } }) {
    return { status: 200, body: sipWebhookBody(requireSipWebhook(await findSipWebhook(db, accountId, webhookId))) };
  },
});
