import { z } from 'zod';
import { batchWebhookEvents } from '../../domain/batch-webhook.js';
import { batchStatuses } from '../../domain/batch-call.js';
import { recordStatuses } from '../../domain/call.js';
import { instant } from '../fields.js';

const counts = Object.fromEntries(
  recordStatuses.map((status) => [status, z.int().describe(`Calls that are ${status}`)]),
);

const endOfBatch = {
  pending: 0,
  dialing: 0,
  'in-progress': 0,
  retrying: 0,
  answered: 3,
  failed: 0,
  'not-answered': 1,
  rejected: 0,
  missed: 0,
  abandoned: 0,
  cancelled: 0,
};

/** Body of a batch call's webhook (service.md, Events). */
export const BatchEvent = z
  .strictObject({
    batchId: z.string().describe('Id of the batch call'),
    batchName: z.string().describe('Its name'),
    status: z.enum(batchStatuses).describe('What it was at the event: of a completed one, how it ended'),
    recordsUploaded: z.int().describe('Numbers that were to be called'),
    event: z.enum(batchWebhookEvents).describe('Which event this is'),
    timestamp: instant().describe('When it happened'),
    counts: z.strictObject(counts).describe('Number of calls by status, at that moment'),
  })
  .meta({
    examples: [
      {
        batchId: 'batch_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a01',
        batchName: 'Appointment reminders',
        status: 'completed',
        recordsUploaded: 4,
        event: 'batchcall-completed',
        timestamp: '2026-03-02T10:41:07.215Z',
        counts: endOfBatch,
      },
    ],
  });

interface Event {
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly body: z.ZodType;
}

/** Every event that this service posts somewhere, by name. */
export const webhookEvents: Readonly<Record<string, Event>> = {
  'batchcall-started': {
    summary: 'A batch call has started',
    description: 'Posted when a batch call enters `running`.',
    tag: 'Batch calls',
    body: BatchEvent,
  },
  'batchcall-completed': {
    summary: 'A batch call has come to its end',
    description:
      'Posted exactly once, when a batch call becomes `completed`, `cancelled` or `parse_failed`: `status` says which.',
    tag: 'Batch calls',
    body: BatchEvent,
  },
};

const signed =
  'Signed as Standard Webhooks has it, with the secret of `GET /v1/account/webhook-secret`. Any 2xx is success, redirects ' +
  'are not followed; everything else is tried again for 24 hours, with the same `webhook-id` each time.';

const headers = [
  [
    'webhook-id',
    'The same on every try: what has it twice was delivered twice',
    'whd_0198f6f2-5c1e-7d3a-9b1f-2f6f0f6f7a02',
  ],
  ['webhook-timestamp', 'Unix second of this try', '1772448067'],
  [
    'webhook-signature',
    'One or, for 24 hours after a rotation, two signatures: `v1,<base64>`',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const;

/** The `webhooks` part of the document. */
export function webhooksOfDocument(): Record<string, object> {
  const described = Object.entries(webhookEvents).map(([name, { summary, description, tag, body }]) => {
    const { examples, ...shown } = z.toJSONSchema(body, { io: 'output' });
    const operation = {
      operationId: name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase()),
      summary,
      description: `${description} ${signed}`,
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
        content: { 'application/json': { schema: shown, example: examples?.[0] } },
      },
      responses: { '2XX': { description: 'Heard. Anything else is tried again.' } },
    };
    return [name, { post: operation }] as const;
  });
  return Object.fromEntries(described);
}
