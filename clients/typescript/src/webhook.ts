import { Webhook } from 'standardwebhooks';
import type { Webhooks } from './generated/types.gen.js';

/** The body of a webhook, whichever it is. */
export type WebhookEvent = Webhooks['body'];

/** Headers as Node, Express, Fastify or fetch have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

const valueOf = (headers: WebhookHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  // Some platforms hand them over as they were written, in any case.
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  return typeof value === 'string' ? value : value.join(' ');
};

/**
 * Checks who sent a webhook and when, by Standard Webhooks.
 *
 * @param body as it came, not parsed and written again
 * @param secret of `GET /v1/account/webhook-secret`; for 24 hours after a rotation the old one counts too
 * @throws WebhookVerificationError if the service has not sent it, or not within five minutes
 */
export function verifyWebhook(headers: WebhookHeaders, body: string | Uint8Array, secret: string): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const sent = Object.fromEntries(names.map((name) => [name, valueOf(headers, name)]));
  return new Webhook(secret).verify(text, sent) as WebhookEvent;
}
