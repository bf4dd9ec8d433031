import { z } from 'zod';
import { secretPlaces } from '../../domain/account/secret-places.js';
import { findWebhookSecrets, rotateWebhookSecret } from '../../db/queries/accounts/accounts.js';
import { recordAudit } from '../audit.js';
import { withIdempotency } from '../idempotency.js';
import { operation } from '../operation.js';
import { newWebhookSecret } from './accounts.js';
import { WebhookSecret, webhookSecretBody } from './webhook-secret-schema.js';

const Rotate = z.strictObject({}).meta({ id: 'RotateWebhookSecret', examples: [{}] });

/** POST /v1/account/webhook-secret/rotate */
export const rotateSecretOfWebhooks = operation({
  name: 'webhookSecret.rotate',
  method: 'POST',
  url: '/v1/account/webhook-secret/rotate',
  family: 'account',
  tag: 'Account',
  idempotent: true,
  schema: {
    summary: 'Rotate the secret that signs webhooks',
    description:
      'Every delivery from now on is signed with the new secret, and for 24 hours with the previous one too, so ' +
      'receivers may know either. A secret that an earlier rotation replaced ends at once, so send an ' +
      '`Idempotency-Key` if the request may be repeated.',
    body: Rotate,
    response: { 200: WebhookSecret },
  },

  async handler(request, deps) {
    const { body, caller } = request;
    const { secretBox, clock } = deps;
    const place = secretPlaces.webhookSecret(caller.accountId);
    return withIdempotency(request, deps, body, async (tx) => {
      await rotateWebhookSecret(tx, caller.accountId, secretBox.seal(newWebhookSecret(), place));
      await recordAudit(tx, caller, 'webhook-secret.rotate', caller.accountId);
      const secrets = await findWebhookSecrets(tx, caller.accountId, clock());
      return { status: 200 as const, body: webhookSecretBody(secretBox, caller.accountId, secrets) };
    });
  },
});
