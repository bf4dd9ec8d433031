/** Events that a batch's webhook can ask for (docs/conformance.md, GET /v1/batch-calls/{batchId} and events). */
export const batchWebhookEvents = ['batchcall-started', 'batchcall-completed'] as const;
export type BatchWebhookEvent = (typeof batchWebhookEvents)[number];
