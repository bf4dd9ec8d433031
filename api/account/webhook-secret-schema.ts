import { z } from 'zod';
import { secretPlaces } from '../../domain/account/secret-places.js';
import type { WebhookSecrets } from '../../db/queries/accounts/accounts.js';
import type { SecretBox } from '../../platform/secret-box.js';
import { instant } from '../fields.js';

export const WebhookSecret = z
  .strictObject({
    secret: z.string().startsWith('whsec_').describe('Verifies the webhook-signature header (Standard Webhooks)'),
    previousSecret: z
      .string()
      .optional()
      .describe('The one before the last rotation; signs as well until previousValidUntil'),
    previousValidUntil: instant().optional().describe('Omitted, like previousSecret, while only one secret signs'),
  })
  .meta({
    id: 'WebhookSecret',
    examples: [
      {
        secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
        previousSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs=',
        previousValidUntil: '2026-03-03T09:20:11.480Z',
      },
    ],
  });

export const webhookSecretBody = (
  secretBox: SecretBox,
  accountId: string,
  { secretSealed, previous }: WebhookSecrets,
) => ({
  secret: secretBox.open(secretSealed, secretPlaces.webhookSecret(accountId)),
  ...(previous === null
    ? {}
    : {
        previousSecret: secretBox.open(previous.secretSealed, secretPlaces.webhookSecret(accountId)),
        previousValidUntil: previous.validUntil.toISOString(),
      }),
});
