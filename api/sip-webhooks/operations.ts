import type { Operation } from '../operation.js';
import { createSipWebhook } from './create.js';
import { getSipWebhook } from './get.js';
import { listSipWebhooksOfAccount } from './list.js';
import { removeSipWebhook } from './remove.js';
import { changeSipWebhook } from './update.js';

export const sipWebhookOperations: readonly Operation[] = [
  createSipWebhook,
  listSipWebhooksOfAccount,
  getSipWebhook,
  changeSipWebhook,
  removeSipWebhook,
];
