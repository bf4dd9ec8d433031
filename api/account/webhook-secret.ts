import { z } from 'zod';
import { findWebhookSecrets } from '../../db/queries/accounts.js';
import { operation } from '../operation.js';

const WebhookSecret = z
  .strictObject({
    secret: z.string().startsWith('whsec_').describe('Verifies the webhook-signature header (Standard Webhooks)'),
    previousSecret: z.string().optional().describe('Signs as well until previousValidUntil'),
    previousValidUntil: z.iso.datetime().optional().describe('24 hours after the rotation'),
  })
  .meta({
    id: 'WebhookSecret',
    examples: [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwxW5oWn4k2gE=' }],
  });

/** GET /v1/account/webhook-secret */
export const getWebhookSecret = operation({
  method: 'GET',
  url: '/v1/account/webhook-secret',
  family: 'account',
  tag: 'Account',
  schema: {
    summary: 'Get the secret that signs webhooks',
    description:
      'One for all webhooks of the account. For 24 hours after a rotation there are two, and both sign: accept either.',
    response: { 200: WebhookSecret },
  },

  async handler({ caller }, { database, secretBox, clock }) {
    const { secretSealed, previous } = await findWebhookSecrets(database.db, caller.accountId, clock());
    return {
      status: 200,
      body: {
        secret: secretBox.open(secretSealed),
        ...(previous === null
          ? {}
          : {
              previousSecret: secretBox.open(previous.secretSealed),
              previousValidUntil: previous.validUntil.toISOString(),
            }),
      },
    };
  },
});
