import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { findWebhookSecrets } from '../../db/queries/accounts/accounts.js';
import { deliveriesSince } from '../../db/queries/webhooks/deliveries-since.js';
import { formatId, uuidOf } from '../../domain/ids.js';
import { instant } from '../fields.js';
import { operation } from '../operation.js';
import { webhookSecretBody } from './webhook-secret-schema.js';

/** Bodies with transcripts are large. */
const atOnce = 50;

const FollowedDeliveries = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          deliveryId: z.string().describe('`whd_…`'),
          event: z.string().describe('The event, such as call-answered'),
          endpoint: z.string().describe('The URL that the service posts it to'),
          createdAt: instant().describe('When the event happened'),
          payload: z.string().describe('The body to the byte'),
          headers: z
            .record(z.string(), z.string())
            .describe('`webhook-id`, `webhook-timestamp` and `webhook-signature`, signed at this moment'),
        }),
      )
      .describe('At most 50, oldest first'),
    next: z.string().describe('`after` of the next request'),
  })
  .meta({
    id: 'FollowedDeliveries',
    examples: [
      {
        data: [
          {
            deliveryId: 'whd_019a5f40-1d2c-7a3b-9c4d-5e6f708192a3',
            event: 'batchcall-started',
            endpoint: 'https://example.com/outdial',
            createdAt: '2027-03-01T05:10:00.110Z',
            payload: '{"event":"batchcall-started"}',
            headers: {
              'webhook-id': 'whd_019a5f40-1d2c-7a3b-9c4d-5e6f708192a3',
              'webhook-timestamp': '1803877810',
              'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
            },
          },
        ],
        next: 'whd_019a5f40-1d2c-7a3b-9c4d-5e6f708192a3',
      },
    ],
  });

/** GET /v1/account/webhook-deliveries */
export const followWebhookDeliveries = operation({
  name: 'webhookDeliveries.follow',
  method: 'GET',
  url: '/v1/account/webhook-deliveries',
  family: 'account',
  tag: 'Account',
  answersSecret: true,
  schema: {
    summary: 'Follow the webhooks of the account',
    description:
      'Everything that the account’s webhooks are told, of batch calls and calls, with body and signed headers: for ' +
      '`outdial listen`, which posts them to a machine that the service cannot reach. A delivery may appear a few seconds ' +
      'after one with a greater id: ask again from a little before. A token with only the `read` permission is refused, ' +
      'because the signatures are those of this service.',
    query: z.object({
      after: z
        .string()
        .refine((id) => uuidOf('webhookDelivery', id) !== null, 'must be the id of a delivery, whd_…')
        .optional()
        .describe('Only those after this id, which begins with its time; omitted: from now on'),
    }),
    response: { 200: FollowedDeliveries },
  },

  async handler({ query, caller: { accountId } }, { database: { db }, secretBox, clock }) {
    const now = clock();
    const { after = formatId('webhookDelivery', uuidv7({ msecs: now.getTime() })) } = query;
    const { rows, next } = await deliveriesSince(db, accountId, after, atOnce);
    const { secret, previousSecret } = webhookSecretBody(
      secretBox,
      accountId,
      await findWebhookSecrets(db, accountId, now),
    );
    const signers = [secret, ...(previousSecret === undefined ? [] : [previousSecret])].map(
      (each) => new Webhook(each),
    );
    const data = rows.map(({ id, event, endpoint, createdAt, payload }) => ({
      ...{ deliveryId: id, event, endpoint, createdAt: createdAt.toISOString(), payload },
      headers: {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(id, now, payload)).join(' '),
      },
    }));
    return { status: 200, body: { data, next: next ?? after } };
  },
});
