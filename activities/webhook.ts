import { Webhook } from 'standardwebhooks';
import { secretPlaces } from '../domain/account/secret-places.js';
import {
  deliveryProgress,
  type DeliveryTry,
  failDelivery,
  pendingDelivery,
  recordDeliveryTry,
} from '../db/queries/webhooks/deliveries.js';
import { outboundFailureWords } from '../platform/outbound-url.js';
import type { ActivityDeps } from './deps.js';

interface DeliveryRef {
  readonly accountId: string;
  readonly deliveryId: string;
}

/** How long an endpoint may take to answer. */
const answerWithinMs = 15_000;
/** Of a network error's text, what is kept for the webhook's owner. */
const longestError = 300;

/** What the workflow that delivers a webhook can cause. */
export const webhookActivities = ({ database: { db }, secretBox, fetchOutside }: ActivityDeps) => ({
  /** How often it was tried and when it was made; null if nothing is left to do. */
  async deliveryProgress({
    accountId,
    deliveryId,
  }: DeliveryRef): Promise<{ readonly tries: number; readonly createdAt: string } | null> {
    const progress = await deliveryProgress(db, accountId, deliveryId);
    return progress && { tries: progress.attempts, createdAt: progress.createdAt.toISOString() };
  },

  /** One try. @returns whether the delivery is over */
  async tryDelivery({ accountId, deliveryId }: DeliveryRef): Promise<boolean> {
    const delivery = await pendingDelivery(db, accountId, deliveryId);
    if (delivery === null) return true;
    const { endpoint, payload, secretSealed, previousSecretSealed } = delivery;
    const now = new Date();
    const secrets = previousSecretSealed === null ? [secretSealed] : [secretSealed, previousSecretSealed];
    const place = secretPlaces.webhookSecret(accountId);
    const signatures = secrets.map((sealed) =>
      new Webhook(secretBox.open(sealed, place)).sign(deliveryId, now, payload),
    );
    const began = performance.now();
    const made = await fetchOutside(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Outdial-Webhooks/1',
        'webhook-id': deliveryId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      body: payload,
      signal: AbortSignal.timeout(answerWithinMs),
    }).then(
      async ({ status, ok, body }): Promise<Omit<DeliveryTry, 'milliseconds'>> => {
        await body?.cancel();
        return { statusCode: status, error: null, delivered: ok };
      },
      (error: unknown): Omit<DeliveryTry, 'milliseconds'> => ({
        statusCode: null,
        error: outboundFailureWords(error).slice(0, longestError),
        delivered: false,
      }),
    );
    await recordDeliveryTry(db, deliveryId, { ...made, milliseconds: Math.round(performance.now() - began) });
    return made.delivered;
  },

  failDelivery: ({ accountId, deliveryId }: DeliveryRef): Promise<void> => failDelivery(db, accountId, deliveryId),
});
