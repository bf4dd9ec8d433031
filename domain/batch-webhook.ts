import { isFinished, type BatchStatus, type CallCounts } from './batch-call.js';

/** service.md, Events. */
export const batchWebhookEvents = ['batchcall-started', 'batchcall-completed'] as const;
export type BatchWebhookEvent = (typeof batchWebhookEvents)[number];

/**
 * The event that entering a status emits, or null: the start of the calls, and whichever end the batch comes to, once
 * each. A cancel before the start has no first event.
 */
export function eventOnEntering(status: BatchStatus): BatchWebhookEvent | null {
  if (status === 'running') return 'batchcall-started';
  return isFinished(status) ? 'batchcall-completed' : null;
}

export interface BatchWebhookFacts {
  readonly batchId: string;
  readonly batchName: string;
  /** The status that was entered. */
  readonly status: BatchStatus;
  readonly recordsUploaded: number;
  readonly counts: CallCounts;
  /** When it was entered. */
  readonly at: Date;
}

/** The body of a batch webhook to the byte: it is frozen at the transition, stored, and signed. */
export const batchWebhookPayload = (
  event: BatchWebhookEvent,
  { at, batchId, batchName, status, recordsUploaded, counts }: BatchWebhookFacts,
): string =>
  JSON.stringify({ event, timestamp: at.toISOString(), batchId, batchName, status, recordsUploaded, counts });
