import { z } from 'zod';
import type { DeliveryRow } from '../../db/queries/webhooks/deliveries-list.js';
import { formatId } from '../../domain/ids.js';
import { instant } from '../fields.js';

/** A webhook delivery with every attempt at it. */
export const WebhookDelivery = z
  .strictObject({
    deliveryId: z.string().describe('`whd_…`; sent as the header `webhook-id` with each attempt'),
    event: z.string().describe('batchcall-started, batchcall-completed, or the event of one of its calls'),
    endpoint: z.string().describe('The URL that it goes to'),
    callId: z.string().optional().describe('The call that it is about; omitted if it is about the batch call itself'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('pending: tried until it is accepted or a day has passed; failed: not accepted in that time'),
    attempts: z
      .array(
        z.strictObject({
          number: z.int().describe('From 1'),
          at: instant().describe('When it was made'),
          statusCode: z.int().optional().describe('HTTP status of the answer; omitted if none came'),
          milliseconds: z.int().describe('Until the answer, or until it was given up'),
          error: z.string().optional().describe('What went wrong on the way; omitted if an answer came'),
        }),
      )
      .describe('In the order of time'),
    createdAt: instant().describe('When the event happened'),
    deliveredAt: instant().optional().describe('When it was taken (2xx)'),
  })
  .meta({
    id: 'WebhookDelivery',
    examples: [
      {
        deliveryId: 'whd_019a5f40-1d2c-7a3b-9c4d-5e6f708192a3',
        event: 'batchcall-completed',
        endpoint: 'https://example.com/outdial',
        status: 'delivered',
        attempts: [
          { number: 1, at: '2027-03-01T05:10:00.201Z', milliseconds: 15_003, error: 'The operation timed out' },
          { number: 2, at: '2027-03-01T05:10:20.318Z', statusCode: 204, milliseconds: 84 },
        ],
        createdAt: '2027-03-01T05:10:00.110Z',
        deliveredAt: '2027-03-01T05:10:20.402Z',
      },
    ],
  });

export const webhookDeliveryBody = (row: DeliveryRow): z.output<typeof WebhookDelivery> => ({
  deliveryId: row.id,
  event: row.event,
  endpoint: row.endpoint,
  ...(row.callId === null ? {} : { callId: formatId('call', row.callId) }),
  status: row.status,
  attempts: row.attempts.map(({ number, at, statusCode, milliseconds, error }) => ({
    number,
    at: new Date(at).toISOString(),
    ...(statusCode === null ? {} : { statusCode }),
    milliseconds,
    ...(error === null ? {} : { error }),
  })),
  createdAt: row.createdAt.toISOString(),
  ...(row.deliveredAt === null ? {} : { deliveredAt: row.deliveredAt.toISOString() }),
});
