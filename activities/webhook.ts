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
import { noTracing } from '../platform/tracing.js';
import { spanOfDelivery, spanOfTry } from '../domain/trace/webhook-spans.js';
import type { ActivityDeps } from './deps.js';

interface DeliveryRef {
  readonly accountId: string;
  readonly deliveryId: string;
}

/** How long an endpoint may take to answer. */
const answerWithinMs = 15_000;
/** Of a network error's text, what is kept for the webhook's owner. */
const longestError = 300;

/** A try that was not made, as its account reads it. */
const unsigned = {
  statusCode: null,
  error: 'The webhook secret cannot be read, so nothing was sent. Rotate it.',
  delivered: false,
};

/** What the workflow that delivers a webhook can cause. */
export const webhookActivities = ({
  database: { db },
  secretBox,
  fetchOutside,
  logger,
  tracing = noTracing,
}: ActivityDeps) => {
  /** None if the secret cannot be opened, because its key is missing or it is damaged. */
  function signatureOf({ accountId, deliveryId }: DeliveryRef, sealed: string, at: Date, payload: string): string[] {
    try {
      const secret = secretBox.open(sealed, secretPlaces.webhookSecret(accountId));
      return [new Webhook(secret).sign(deliveryId, at, payload)];
    } catch (error) {
      logger.error({ err: error, accountId, deliveryId }, 'the webhook secret of an account cannot be read');
      return [];
    }
  }

  return {
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
      const signatures = secrets.flatMap((sealed) => signatureOf({ accountId, deliveryId }, sealed, now, payload));
      if (signatures.length === 0) {
        await recordDeliveryTry(db, deliveryId, { ...unsigned, milliseconds: 0 });
        return false;
      }
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
      const milliseconds = Math.round(performance.now() - began);
      const number = await recordDeliveryTry(db, deliveryId, { ...made, milliseconds });
      if (!made.delivered) {
        const { callId, attempt } = delivery;
        const batchId = delivery.batchId ?? delivery.batchOfCall;
        const about = {
          ...(batchId === null ? {} : { batchId }),
          ...(callId === null ? {} : { callId }),
          ...(attempt === null ? {} : { attempt }),
        };
        const { statusCode, error } = made;
        logger.warn({ accountId, ...about, deliveryId, try: number, statusCode, error }, 'a webhook was not taken');
      }
      if (tracing.on) {
        const startMs = now.getTime();
        const endMs = startMs + milliseconds;
        const traced = { ...delivery, deliveryId };
        tracing.record([
          ...spanOfTry(traced, { ...made, number, startMs, endMs }),
          ...(made.delivered ? spanOfDelivery(traced, endMs, true) : []),
        ]);
      }
      return made.delivered;
    },

    async failDelivery({ accountId, deliveryId }: DeliveryRef): Promise<void> {
      const failed = await failDelivery(db, accountId, deliveryId);
      if (failed !== null) tracing.record(spanOfDelivery(failed, Date.now(), false));
    },
  };
};
