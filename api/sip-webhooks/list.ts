import { z } from 'zod';
import { listSipWebhooks } from '../../db/queries/telephony/sip-webhooks.js';
import { operation } from '../operation.js';
import { pageBody, pageOf, pageQuery, rowsOfPage } from '../pagination.js';
import { SipWebhook, sipWebhookBody } from './schema.js';

/** GET /v2/sip/webhooks */
export const listSipWebhooksOfAccount = operation({
  name: 'sipWebhooks.list',
  method: 'GET',
  url: '/v2/sip/webhooks',
  family: 'sip',
  tag: 'SIP webhooks',
  schema: {
    summary: 'List SIP webhooks',
    description: 'Newest first.',
    query: z.object(pageQuery),
    response: { 200: pageOf(SipWebhook) },
  },

  async handler({ query, caller }, { database }) {
    const { total, webhooks } = await listSipWebhooks(database.db, caller.accountId, rowsOfPage(query));
    return { status: 200, body: pageBody(query, total, webhooks.map(sipWebhookBody)) };
  },
});
