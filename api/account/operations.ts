import type { Operation } from '../operation.js';
import { getAccount } from './get.js';
import { getWebhookSecret } from './webhook-secret.js';

export const accountOperations: readonly Operation[] = [getAccount, getWebhookSecret];
