import { expect } from 'vitest';
import { sipWebhookEvents } from '../../../domain/webhooks/sip-webhook.js';
import { anAccount, api, type RequestOptions } from '../support.js';

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

/** A webhook of nobody and of another account: 404 in the same words, and it stays. */
export async function findsNoneOf(
  ask: (url: string, options: RequestOptions) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  const url = `/v2/sip/webhooks/${await aSipWebhook()}`;
  const answers = [
    await ask(url, { token: (await anAccount()).token }),
    await ask('/v2/sip/webhooks/swh_00000000-0000-7000-8000-000000000000', {}),
    await ask('/v2/sip/webhooks/nonsense', {}),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { message: 'Webhook not found' } });
  expect((await api.get(url)).status).toBe(200);
}
