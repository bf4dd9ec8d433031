/** What a tool may do, and so which flag offers it. */
export type Kind = 'reads' | 'changes' | 'dials' | 'hidden';

/** POSTs that change nothing. */
const reading: readonly string[] = ['batchCalls.validate', 'knowledgeBases.query'];

/**
 * Operations that answer with a secret, end access, or answer with sound: a language model and whoever keeps its conversations
 * have no use for them.
 */
const hidden: readonly string[] = [
  'apiKeys.create',
  'apiKeys.delete',
  'calls.getRecording',
  'calls.listen',
  'playground.createSession',
  'tokens.revoke',
  'webhookDeliveries.follow',
  'webhookSecret.get',
  'webhookSecret.rotate',
];

/** Operations after which no telephone rings that would not have rung without them. */
const changing: readonly string[] = [
  'account.stopDialing',
  'accountDefaults.replace',
  'accountPrices.replace',
  'agents.create',
  'agents.delete',
  'agents.deploy',
  'agents.undeploy',
  'agents.update',
  'batchCalls.cancel',
  'batchCalls.close',
  'batchCalls.delete',
  'batchCalls.pause',
  'batchCalls.redeliverWebhook',
  'batchCalls.skipRecord',
  'calls.end',
  'calls.whisper',
  'campaigns.delete',
  'campaigns.pause',
  'contacts.erase',
  'doNotCall.add',
  'inboundGateways.create',
  'inboundGateways.delete',
  'inboundGateways.update',
  'knowledgeBaseFolders.create',
  'knowledgeBaseFolders.delete',
  'knowledgeBaseFolders.update',
  'knowledgeBases.create',
  'knowledgeBases.delete',
  'knowledgeBases.update',
  'outboundGateways.create',
  'outboundGateways.delete',
  'phoneNumbers.checkGateway',
  'phoneNumbers.create',
  'phoneNumbers.detach',
  'phoneNumbers.release',
  'playground.ask',
  'routingRules.create',
  'routingRules.delete',
  'routingRules.update',
  'sipWebhooks.create',
  'sipWebhooks.delete',
  'sipWebhooks.update',
  'tools.create',
  'tools.delete',
  'tools.update',
];

/** The kind of an operation. One of a newer service that is not known here is treated as one that dials. */
export function kindOf(operationId: string, method: string): Kind {
  if (hidden.includes(operationId)) return 'hidden';
  if (method === 'GET' || reading.includes(operationId)) return 'reads';
  return changing.includes(operationId) ? 'changes' : 'dials';
}
