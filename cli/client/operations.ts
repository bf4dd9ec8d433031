/**
 * The operations that commands have names for, by their ids in docs/openapi.json. A test compares the two; every other operation
 * is reached by `outdial api`.
 */
export const operations = {
  'account.get': 'GET /v1/account',
  'agents.list': 'GET /v1/agents',
  'agents.get': 'GET /v1/agents/{agentId}',
  'agents.deploy': 'POST /v1/agents/{agentId}/deploy',
  'agents.listDeployments': 'GET /v1/agents/{agentId}/deployments',
  'agents.getDeployment': 'GET /v1/agents/{agentId}/deployments/{deploymentId}',
  'batchCalls.create': 'POST /v1/batch-calls',
  'batchCalls.validate': 'POST /v1/batch-calls/validate',
  'batchCalls.list': 'GET /v1/batch-calls',
  'batchCalls.get': 'GET /v1/batch-calls/{batchId}',
  'batchCalls.pause': 'POST /v1/batch-calls/{batchId}/pause',
  'batchCalls.resume': 'POST /v1/batch-calls/{batchId}/resume',
  'batchCalls.cancel': 'POST /v1/batch-calls/{batchId}/cancel',
  'batchCalls.close': 'POST /v1/batch-calls/{batchId}/close',
  'batchCalls.retry': 'POST /v1/batch-calls/{batchId}/retry',
  'batchCalls.addRecipients': 'POST /v1/batch-calls/{batchId}/recipients',
  'batchCalls.exportRecords': 'GET /v1/batch-calls/{batchId}/records/export',
  'batchCalls.listWebhookDeliveries': 'GET /v1/batch-calls/{batchId}/webhook-deliveries',
  'batchCalls.redeliverWebhook': 'POST /v1/batch-calls/{batchId}/webhook-deliveries/{deliveryId}/redeliver',
  'calls.create': 'POST /v2/sip/call',
  'calls.list': 'GET /v2/sip/call',
  'calls.get': 'GET /v2/sip/call/{callId}',
  'calls.end': 'POST /v2/sip/call/end',
  'doNotCall.add': 'POST /v1/do-not-call',
  'doNotCall.list': 'GET /v1/do-not-call',
  'doNotCall.remove': 'DELETE /v1/do-not-call/{e164}',
  'inboundGateways.list': 'GET /v2/sip/inbound-gateways',
  'overview.get': 'GET /v1/overview',
  'outboundGateways.list': 'GET /v2/sip/outbound-gateways',
  'phoneNumbers.list': 'GET /v2/sip/phone-numbers',
  'phoneNumbers.checkGateway': 'POST /v2/sip/phone-numbers/gateways/{gatewayId}/check',
  'routingRules.list': 'GET /v2/sip/routing-rule',
} as const satisfies Readonly<Record<string, `${'GET' | 'POST' | 'DELETE'} /${string}`>>;

export type OperationId = keyof typeof operations;
