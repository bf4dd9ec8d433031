import { v7 } from 'uuid';
import type { Operation } from '../../api/operation.js';
import { formatId, type IdKind } from '../../domain/ids.js';
import { aBatchOf, aDelivery } from './batch-calls/support-records.js';
import { api, here } from './support.js';
import { aSipWebhook } from './sip-webhooks/support.js';
import { aCampaign } from './campaigns/support.js';
import { aTool } from './tools/support.js';
import { aCallingNumber, aNumber, anAgent, rowsOf } from './support-resources.js';

/**
 * Values for the parameters in paths, by the name of the parameter, or by `<word before it>/<name>` if one name means
 * different things: a new parameter is added here, and every test of all operations covers it.
 */
export type PathValues = Readonly<Record<string, string>>;

/** Ids of the right form that name nothing. */
const kinds: Readonly<Record<string, IdKind>> = {
  agentId: 'agent',
  versionId: 'version',
  deploymentId: 'deployment',
  keyId: 'key',
  toolId: 'tool',
  knowledgeBaseId: 'knowledgeBase',
  folderId: 'knowledgeBaseFolder',
  ruleId: 'rule',
  phoneNumberId: 'number',
  gatewayId: 'outboundGateway',
  inboundGatewayId: 'inboundGateway',
  outboundGatewayId: 'outboundGateway',
  callId: 'call',
  webhookId: 'sipWebhook',
  batchId: 'batch',
  campaignId: 'campaign',
  recordId: 'record',
  deliveryId: 'webhookDelivery',
  // No number at all is answered like one that nothing is known of.
  e164: 'number',
};

/** One resource of the account `me` for every parameter in a path. */
export async function oneOfEach(): Promise<PathValues> {
  const number = await aCallingNumber();
  const call = await api.post('/v2/sip/call', { sipCallTo: aNumber(), sipCallFrom: number.e164 });
  const agentId = await anAgent();
  const [deployed] = await rowsOf<{ id: string; version_id: string }>(
    'select id, version_id from deployments where agent_id = $1',
    [agentId],
  );
  if (deployed === undefined) throw new Error('The agent has no deployment');
  const { e164: phoneNumber, phoneNumberId, inboundGatewayId, outboundGatewayId, ruleId } = number;
  const route = { phoneNumber, phoneNumberId, gatewayId: outboundGatewayId, ruleId, agentId };
  const waiting = [{ phoneNumber: aNumber(), status: 'pending' as const }];
  const { batchId, callIds } = await aBatchOf(waiting, { route, status: 'running' });
  const e164 = aNumber();
  await api.post('/v1/do-not-call', { phoneNumbers: [e164] });
  const folder = await api.post('/v1/knowledge-base-folders', { name: `Papers ${e164}` });
  const base = await api.post('/v1/knowledge-bases', { name: 'Hours', text: 'We open at nine.' });
  return {
    folderId: (folder.body as { folderId: string }).folderId,
    knowledgeBaseId: (base.body as { knowledgeBaseId: string }).knowledgeBaseId,
    e164,
    agentId,
    versionId: deployed.version_id,
    deploymentId: deployed.id,
    keyId: here().me.key.id,
    callId: (call.body as { data: { id: string } }).data.id,
    webhookId: await aSipWebhook(),
    toolId: (await aTool()).toolId,
    phoneNumberId,
    gatewayId: outboundGatewayId,
    inboundGatewayId,
    outboundGatewayId,
    ruleId,
    batchId,
    campaignId: await aCampaign({ template: { phoneNumber, routingRuleId: ruleId } }),
    recordId: formatId('record', callIds[0] ?? ''),
    deliveryId: await aDelivery(batchId),
  };
}

/** Ids of the right kind that nothing has. */
export const unknownIds = (): PathValues =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, formatId(kind, v7())]));

/** Parameters of a path, each as the keys under which its value may be kept, the most telling first. */
export const parametersOf = (url: string): string[][] =>
  [...url.matchAll(/([\w-]+)\/:(\w+)/g)].map(([, before, name]) => [`${before!}/${name!}`, name!]);

/** Parameters of a path for which there is no value. */
export const unfilledIn = (url: string, values: PathValues): string[] =>
  parametersOf(url)
    .filter((keys) => keys.every((key) => values[key] === undefined))
    .map(([key]) => key!);

/** The path with values in the place of its parameters. */
export const pathWith = (url: string, values: PathValues): string =>
  url.replace(/([\w-]+)\/:(\w+)/g, (_match, before: string, name: string) => {
    const value = values[`${before}/${name}`] ?? values[name] ?? `no-${name}`;
    return `${before}/${encodeURIComponent(value)}`;
  });

interface Asking {
  readonly token: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly app?: ReturnType<typeof here>['app'];
}

/** Sends a request of the operation's method; with a body only if it may have one. */
export function ask({ method }: Pick<Operation, 'method'>, path: string, { body = {}, ...options }: Asking) {
  switch (method) {
    case 'GET':
      return api.get(path, options);
    case 'POST':
      return api.post(path, body, options);
    case 'PUT':
      return api.put(path, body, options);
    case 'PATCH':
      return api.patch(path, body, options);
    case 'DELETE':
      return api.delete(path, options);
  }
}
