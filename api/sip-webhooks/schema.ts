import { z } from 'zod';
import type { SipWebhookRow } from '../../db/queries/telephony/sip-webhooks.js';
import type { Problem } from '../../domain/errors.js';
import { notFound } from '../../domain/errors.js';
import { sipWebhookEvents } from '../../domain/webhooks/sip-webhook.js';
import { outboundUrlProblem } from '../../platform/outbound-url.js';
import { instant, text } from '../fields.js';
import type { AppDeps } from '../operation.js';
import { readOnly } from '../read-only.js';
import { valueAt } from '../validation.js';

const events = z
  .array(z.enum(sipWebhookEvents))
  .min(1)
  .refine((list) => new Set(list).size === list.length, { error: 'must not name an event twice' })
  .describe(
    'call-started: an INVITE was sent; call-ringing; call-answered; call-hangup: an answered call is over; ' +
      'call-missed: a call is over and was not answered',
  );
const url = text(2048).describe('Receives the events; https, not in a private network');

const example = {
  url: 'https://example.com/hooks/calls',
  events: ['call-answered' as const, 'call-hangup' as const, 'call-missed' as const],
};

export const CreateSipWebhook = z.strictObject({ url, events }).meta({ id: 'CreateSipWebhook', examples: [example] });

export const UpdateSipWebhook = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    id: readOnly(),
    createdAt: readOnly(),
    updatedAt: readOnly(),
  })
  .meta({ id: 'UpdateSipWebhook', examples: [{ events: example.events }] });

export const SipWebhook = z
  .strictObject({
    id: z.string().describe('Id of the webhook, `swh_…`'),
    url: z.string().describe('Receives the events'),
    events: z.array(z.enum(sipWebhookEvents)).describe('The events that are sent to it'),
    createdAt: instant().describe('When it was made'),
    updatedAt: instant().describe('When it was last changed'),
  })
  .meta({
    id: 'SipWebhook',
    examples: [
      {
        id: 'swh_01990c60-4b7e-7a15-9c2d-8e1f3a5b6c70',
        ...example,
        createdAt: '2026-03-02T09:00:00.000Z',
        updatedAt: '2026-03-02T09:00:00.000Z',
      },
    ],
  });

export const sipWebhookParams = z.object({ webhookId: z.string().describe('Id of the webhook, `swh_…`') });

/** What only the settings can say of the body's URL. */
export function urlProblems(body: unknown, { env }: AppDeps): Problem[] {
  const sent = valueAt(body, ['url']);
  if (typeof sent !== 'string') return [];
  const message = outboundUrlProblem(sent, {
    allowPrivate: env.OUTDIAL_ALLOW_PRIVATE_WEBHOOKS,
    allowInsecure: env.OUTDIAL_ALLOW_INSECURE_WEBHOOKS,
  });
  return message === null ? [] : [{ path: 'url', code: 'INVALID_VALUE', message }];
}

export const sipWebhookBody = (row: SipWebhookRow): z.output<typeof SipWebhook> => ({
  id: row.id,
  url: row.url,
  events: sipWebhookEvents.filter((event) => row.events.includes(event)),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** @throws Failure `not_found` if the account has no such webhook */
export function requireSipWebhook(row: SipWebhookRow | null): SipWebhookRow {
  if (row === null) throw notFound('Webhook not found');
  return row;
}
