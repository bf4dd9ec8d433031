import { findWebhookSecrets } from '../../db/queries/accounts/accounts.js';
import { operation } from '../operation.js';
import { WebhookSecret, webhookSecretBody } from './webhook-secret-schema.js';

/** GET /v1/account/webhook-secret */
export const getWebhookSecret = operation({
  name: 'webhookSecret.get',
  method: 'GET',
  url: '/v1/account/webhook-secret',
  family: 'account',
  tag: 'Account',
  answersSecret: true,
  schema: {
    summary: 'Get the secret that signs webhooks',
    description:
      'Deliveries follow the Standard Webhooks specification: give the secret to one of its libraries, with the ' +
      'headers `webhook-id`, `webhook-timestamp` and `webhook-signature` and the raw body. For 24 hours after a ' +
      'rotation they carry a signature by each of the two secrets. A token with only the `read` permission is ' +
      'refused, because the secret can sign as this service.',
    response: { 200: WebhookSecret },
  },

  async handler({ caller }, { database, secretBox, clock }) {
    const secrets = await findWebhookSecrets(database.db, caller.accountId, clock());
    return { status: 200, body: webhookSecretBody(secretBox, caller.accountId, secrets) };
  },
});
