import { accountOperations } from './account/operations.js';
import { agentOperations } from './agents/operations.js';
import { batchCallOperations } from './batch-calls/operations.js';
import { callOperations } from './calls/operations.js';
import { campaignOperations } from './campaigns/operations.js';
import { contactOperations } from './contacts/operations.js';
import { doNotCallOperations } from './do-not-call/operations.js';
import { gatewayOperations } from './gateways/operations.js';
import { knowledgeBaseFolderOperations } from './knowledge-base-folders/operations.js';
import { knowledgeBaseOperations } from './knowledge-bases/operations.js';
import type { Operation } from './operation.js';
import { phoneNumberOperations } from './phone-numbers/operations.js';
import { playgroundOperations } from './playground/operations.js';
import { routingRuleOperations } from './routing-rules/operations.js';
import { sipWebhookOperations } from './sip-webhooks/operations.js';
import { toolOperations } from './tools/operations.js';

/** Every operation of the API: one line per resource. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...agentOperations,
  ...playgroundOperations,
  ...toolOperations,
  ...knowledgeBaseOperations,
  ...knowledgeBaseFolderOperations,
  ...phoneNumberOperations,
  ...gatewayOperations,
  ...routingRuleOperations,
  ...callOperations,
  ...sipWebhookOperations,
  ...batchCallOperations,
  ...campaignOperations,
  ...doNotCallOperations,
  ...contactOperations,
];
