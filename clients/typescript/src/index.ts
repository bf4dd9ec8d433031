export { OutdialError, type Problem } from './error.js';
export type * from './generated/types.gen.js';
export { type BatchFields, type KeyOption, Outdial, type OutdialOptions, type UploadOptions } from './outdial.js';
export { itemsByCursor, itemsByPage } from './pages.js';
export type { ApiKey as KeyOfAccount } from './token.js';
export type { Upload } from './upload.js';
export type { WaitOptions } from './wait.js';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.js';
