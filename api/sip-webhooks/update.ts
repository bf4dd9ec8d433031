import { lockSipWebhook, updateSipWebhook } from '../../db/queries/telephony/sip-webhooks.js';
import { recordAudit } from '../audit.js';
import { operation } from '../operation.js';
import { changedReadOnly } from '../patch.js';
import { invalidRequest } from '../validation.js';
import {
  requireSipWebhook,
  SipWebhook,
  sipWebhookBody,
  sipWebhookParams,
  UpdateSipWebhook,
  urlProblems,
} from './schema.js';

/** PATCH /v2/sip/webhooks/{webhookId} */
export const changeSipWebhook = operation({
  name: 'sipWebhooks.update',
  method: 'PATCH',
  url: '/v2/sip/webhooks/:webhookId',
  family: 'sip',
  tag: 'SIP webhooks',
  schema: {
    summary: 'Change a SIP webhook',
    description:
      'Changes the fields that are sent; `events` replaces the list. Holds for new events: those being delivered ' +
      'keep their URL.',
    params: sipWebhookParams,
    body: UpdateSipWebhook,
    bodyProblems: urlProblems,
    response: { 200: SipWebhook },
  },

  async handler({ params: { webhookId }, body, caller }, { database: { db } }) {
    const { accountId } = caller;
    const changed = await db.transaction().execute(async (tx) => {
      const before = sipWebhookBody(requireSipWebhook(await lockSipWebhook(tx, accountId, webhookId)));
      const problems = changedReadOnly(body, before, ['id', 'createdAt', 'updatedAt']);
      if (problems.length > 0) throw invalidRequest(problems);
      const { url, events } = body;
      const webhook = await updateSipWebhook(tx, accountId, webhookId, { url, events });
      await recordAudit(tx, caller, 'sip-webhook.update', webhookId, { url, events });
      return webhook;
    });
    return { status: 200, body: sipWebhookBody(changed) };
  },
});
