import type { Operation } from '../operation.js';
import { listAuditLog } from './audit-log.js';
import { createApiKey } from './create-key.js';
import { getAccountDefaults, putDefaultsOfAccount } from './defaults.js';
import { deleteApiKey } from './delete-key.js';
import { getAccount } from './get.js';
import { getGuardrails, putGuardrailsOfAccount } from './guardrails.js';
import { listApiKeys } from './list-keys.js';
import { getOverview } from './overview.js';
import { getPrices, putPricesOfAccount } from './prices.js';
import { getStats } from './stats.js';
import { getStatsTimeline } from './timeline.js';
import { revokeToken } from './revoke-token.js';
import { rotateSecretOfWebhooks } from './rotate-webhook-secret.js';
import { resumeDialingOfAccount, stopDialingOfAccount } from './stop-dialing.js';
import { followWebhookDeliveries } from './webhook-deliveries.js';
import { getWebhookSecret } from './webhook-secret.js';

export const accountOperations: readonly Operation[] = [
  getAccount,
  getOverview,
  getStats,
  getStatsTimeline,
  listApiKeys,
  createApiKey,
  deleteApiKey,
  revokeToken,
  getWebhookSecret,
  rotateSecretOfWebhooks,
  followWebhookDeliveries,
  listAuditLog,
  getAccountDefaults,
  putDefaultsOfAccount,
  getPrices,
  putPricesOfAccount,
  getGuardrails,
  putGuardrailsOfAccount,
  stopDialingOfAccount,
  resumeDialingOfAccount,
];
