import { sipWebhookEvents } from '../../../domain/webhooks/sip-webhook.js';
import { api, type RequestOptions } from '../support.js';

/** Body of POST /v2/sip/webhooks that is accepted. */
export const webhookBody = (change: object = {}) => ({
  url: 'https://hooks.example.com/calls',
  events: [...sipWebhookEvents],
  ...change,
});

/** A webhook of the account, made through the API. @returns its id */
export async function aSipWebhook(change: object = {}, options: RequestOptions = {}): Promise<string> {
  const response = await api.post('/v2/sip/webhooks', webhookBody(change), options);
  if (response.status !== 201) throw new Error(`No webhook: ${response.text}`);
  return (response.body as { id: string }).id;
}
