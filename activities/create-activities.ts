import { analysisActivities } from './analysis.js';
import { batchActivities } from './batch.js';
import { callsActivities } from './calls.js';
import { campaignActivities } from './campaigns.js';
import { deploymentActivities } from './deployment.js';
import type { ActivityDeps } from './deps.js';
import { inboundActivities } from './inbound.js';
import { knowledgeActivities } from './knowledge.js';
import { removeBatchActivities } from './remove-batch.js';
import { retentionActivities } from './retention.js';
import { summaryActivities } from './summary.js';
import { watchdogActivities } from './watchdog.js';
import { webhookActivities } from './webhook.js';

/** All activities. Each may run twice, or again after it was done. */
export const createActivities = (deps: ActivityDeps) => ({
  ...batchActivities(deps),
  ...callsActivities(deps),
  ...campaignActivities(deps),
  ...webhookActivities(deps),
  ...deploymentActivities(deps),
  ...inboundActivities(deps),
  ...knowledgeActivities(deps),
  ...analysisActivities(deps),
  ...summaryActivities(deps),
  ...watchdogActivities(deps),
  ...removeBatchActivities(deps),
  ...retentionActivities(deps),
});

/** The activities as workflows know them: by their types alone. */
export type Activities = ReturnType<typeof createActivities>;
