/** Events that a batch's webhook can ask for (service.md, Events). */
export const batchWebhookEvents = ['batchcall-started', 'batchcall-completed'] as const;
export type BatchWebhookEvent = (typeof batchWebhookEvents)[number];
