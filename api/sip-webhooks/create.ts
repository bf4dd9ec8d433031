import { v7 as uuidv7 } from 'uuid';
import { insertSipWebhook, mostSipWebhooks } from '../../db/queries/telephony/sip-webhooks.js';
import { conflict } from '../../domain/errors.js';
import { formatId } from '../../domain/ids.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { CreateSipWebhook, SipWebhook, sipWebhookBody, urlProblems } from './schema.js';

/** POST /v2/sip/webhooks */
export const createSipWebhook = operation({
  name: 'sipWebhooks.create',
  method: 'POST',
  url: '/v2/sip/webhooks',
  family: 'sip',
  tag: 'SIP webhooks',
  idempotent: true,
  schema: {
    summary: 'Create a SIP webhook',
    description:
      'From now on, events of all calls of the account, batches included, are posted to the URL as `{webhookType, ' +
      'data}`; `data` is the call as it was at the event: its Call fields, `attempt`, `agentId`, `versionId`, ' +
      '`batchId`, `simulated`, and at the end `duration`, `sipStatusCode`, `reason`, `answeredBy`; of `call-analyzed` also ' +
      '`analysis`, `success` or `analysisError`. Each event of ' +
      'each attempt comes once per webhook, signed and retried as other webhooks, so perhaps out of order: the `timelog` ' +
      'tells it. A call that ends undialed (expired, on the do-not-call list, ended by API) is sent as `call-missed`, ' +
      'one that is dropped by the cancel of a batch is not. ' +
      `At most ${mostSipWebhooks} for an account (409).`,
    body: CreateSipWebhook,
    bodyProblems: urlProblems,
    response: { 201: SipWebhook },
    errors: [409],
  },

  async handler(request, deps) {
    const { body, caller } = request;
    return withIdempotency(request, deps, body, async (tx) => {
      const id = formatId('sipWebhook', uuidv7());
      const webhook = await insertSipWebhook(tx, { id, accountId: caller.accountId, ...body });
      if (webhook === null) throw conflict(`An account has at most ${mostSipWebhooks} SIP webhooks`);
      await recordAudit(tx, caller, 'sip-webhook.create', id, { url: body.url, events: body.events });
      return { status: 201 as const, body: sipWebhookBody(webhook) };
    });
  },
});
