import { apiAccount } from './api-account.js';
import { apiAgents } from './api-agents.js';
import { apiBatch } from './api-batch.js';
import { apiEverywhere } from './api-everywhere.js';
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
  ...apiAgents,
  ...apiTelephony,
  ...apiBatch,
  ...apiAccount,
];
