import { apiAccount } from './api-account.js';
import { apiAgentsConfig } from './api-agents-config.js';
import { apiAgents } from './api-agents.js';
import { apiAuthentication } from './api-authentication.js';
import { apiBatchLater } from './api-batch-later.js';
import { apiBatchRows } from './api-batch-rows.js';
import { apiBatch } from './api-batch.js';
import { apiCalls } from './api-calls.js';
import { apiEverywhere } from './api-everywhere.js';
import { apiKnowledge } from './api-knowledge.js';
import { apiRules } from './api-rules.js';
import { apiTelephony } from './api-telephony.js';
import { serviceAgents } from './service-agents.js';
import { serviceBatch } from './service-batch.js';
import { serviceCommon } from './service-common.js';
import { serviceTelephony } from './service-telephony.js';
import type { Section } from './statement.js';

/** Everything that the service promises, in the order of the table. */
export const sections: readonly Section[] = [
  ...serviceAgents,
  ...serviceTelephony,
  ...serviceBatch,
  ...serviceCommon,
  ...apiEverywhere,
  ...apiAuthentication,
  ...apiAgents,
  ...apiAgentsConfig,
  ...apiKnowledge,
  ...apiTelephony,
  ...apiRules,
  ...apiCalls,
  ...apiBatch,
  ...apiBatchRows,
  ...apiBatchLater,
  ...apiAccount,
];
