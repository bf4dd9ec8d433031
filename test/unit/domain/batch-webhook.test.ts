import { expect, test } from 'vitest';
import { batchStatuses, noCalls } from '../../../domain/batch-call.js';
import { batchWebhookPayload, eventOnEntering } from '../../../domain/batch-webhook.js';

test('the start of the calls and every end is an event, nothing else is', () => {
  expect(Object.fromEntries(batchStatuses.map((status) => [status, eventOnEntering(status)]))).toEqual({
    parsing: null,
    parse_failed: 'batchcall-completed',
    scheduled: null,
    running: 'batchcall-started',
    cancelling: null,
    cancelled: 'batchcall-completed',
    completed: 'batchcall-completed',
  });
});

test('the payload has the documented fields', () => {
  const payload = batchWebhookPayload('batchcall-completed', {
    batchId: 'batch_1',
    batchName: 'Reminders',
    status: 'completed',
    recordsUploaded: 3,
    counts: { ...noCalls, answered: 3 },
    at: new Date('2026-11-21T14:00:00Z'),
  });
  expect(JSON.parse(payload)).toEqual({
    event: 'batchcall-completed',
    timestamp: '2026-11-21T14:00:00.000Z',
    batchId: 'batch_1',
    batchName: 'Reminders',
    status: 'completed',
    recordsUploaded: 3,
    counts: { ...noCalls, answered: 3 },
  });
});
