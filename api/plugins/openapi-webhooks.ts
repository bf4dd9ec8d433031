import { z } from 'zod';
import { sipWebhookEvents, type SipWebhookEvent } from '../../domain/webhooks/sip-webhook.js';
import { withExample, type Components } from './openapi-examples.js';
import { BatchEvent, batchStartedExample, callEvent, SummaryEvent } from './openapi-webhook-bodies.js';

interface Event {
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly body: z.ZodType;
  /** If omitted: that of the body. */
  readonly example?: unknown;
}

const happened: Readonly<Record<SipWebhookEvent, string>> = {
  'call-started': 'an INVITE has been sent',
  'call-ringing': 'it rings at the callee',
  'call-answered': 'it has been answered',
  'call-hangup': 'it was answered, and is over',
  'call-missed': 'it is over, and was not answered',
  'call-analyzed': 'its agent’s analysis is there, or it is known why there is none',
};

const callEvents = Object.fromEntries(
  sipWebhookEvents.map((event): [string, Event] => [
    event,
    {
      summary: `Of a call, ${happened[event]}`,
      description: 'Once per attempt, to each SIP webhook that asked for it.',
      tag: 'SIP webhooks',
      body: callEvent(event),
    },
  ]),
);

/** Every event that this service posts somewhere, by name. */
const webhookEvents: Readonly<Record<string, Event>> = {
  'batchcall-started': {
    summary: 'A batch call has started',
    description: 'Posted when a batch call enters `running`.',
    tag: 'Batch calls',
    body: BatchEvent,
    example: batchStartedExample,
  },
  'batchcall-completed': {
    summary: 'A batch call has come to its end',
    description:
      'Posted exactly once, when a batch call becomes `completed`, `cancelled` or `parse_failed`: `status` says which.',
    tag: 'Batch calls',
    body: BatchEvent,
  },
  ...callEvents,
  'call-summary': {
    summary: 'A call has been summarized',
    description:
      'Posted once to `callSummary.webhook` of the agent, after an answered call; also if no summary could be made.',
    tag: 'Agents',
    body: SummaryEvent,
  },
};

const headers = [
  [
    'webhook-id',
    'The same on every try: what has it twice was delivered twice. Any 2xx is success, redirects are not followed; everything else is tried again for 24 hours',
    'whd_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a02',
  ],
  ['webhook-timestamp', 'Unix second of this try', '1772448067'],
  [
    'webhook-signature',
    'As Standard Webhooks specifies, with the secret of `GET /v1/account/webhook-secret`: `v1,<base64>`; for 24 hours after a rotation two of them',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

/**
 * The `webhooks` part of the document.
 *
 * @param schemas of the document
 */
export function webhooksOfDocument(schemas: Components): Record<string, object> {
  const described = Object.entries(webhookEvents).map(([name, { summary, description, tag, body, example }]) => {
    const schema = { $ref: `#/components/schemas/${z.globalRegistry.get(body)?.id ?? ''}` };
    const operation = {
      operationId: name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase()),
      summary,
      description,
      tags: [tag],
      security: [],
      parameters: headers.map(([header, words, example]) => ({
        name: header,
        in: 'header',
        required: true,
        description: words,
        schema: { type: 'string' },
        example,
      })),
      requestBody: {
        required: true,
        description: 'What happened, as it was at that moment.',
        content: {
          'application/json': withExample({ schema, ...(example === undefined ? {} : { example }) }, schemas),
        },
      },
      responses: { '2XX': { description: 'Any other is tried again.' } },
    };
    return [name, { post: operation }] as const;
  });
  return Object.fromEntries(described);
}
