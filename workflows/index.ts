/** What the bundle holds: workflows are found by the names of these exports, which domain/workflow/contract.ts lists. */
export { analyzeCall } from './analyze-call.js';
export { batchCall } from './batch-call.js';
export { calls } from './calls.js';
export { deliverWebhook } from './deliver-webhook.js';
export { deployAgent } from './deploy-agent.js';
export { ingestKnowledgeBase } from './ingest-knowledge-base.js';
export { reconcileInbound } from './reconcile-inbound.js';
export { removeBatch } from './remove-batch.js';
export { retention } from './retention.js';
export { runCampaign } from './run-campaign.js';
export { scheduleCampaign } from './schedule-campaign.js';
export { summarizeCall } from './summarize-call.js';
export { watchdog } from './watchdog.js';
