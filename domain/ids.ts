/** What an id's prefix says it names (docs/conformance.md, Everywhere: prefixed UUIDv7 text). */
export const idPrefixes = {
  account: 'acc',
  agent: 'agt',
  version: 'ver',
  deployment: 'dep',
  number: 'num',
  inboundGateway: 'gwi',
  outboundGateway: 'gwo',
  rule: 'rule',
  call: 'call',
  batch: 'batch',
  campaign: 'camp',
  record: 'rec',
  file: 'file',
  knowledgeBase: 'kb',
  knowledgeBaseFolder: 'kbf',
  tool: 'tool',
  webhookDelivery: 'whd',
  sipWebhook: 'swh',
  key: 'key',
} as const;

export type IdKind = keyof typeof idPrefixes;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `call` + a UUID → `call_<uuid>`. */
export const formatId = (kind: IdKind, value: string): string => `${idPrefixes[kind]}_${value}`;

/** The UUID inside an id of this kind, or null if the text is not one. */
export function uuidOf(kind: IdKind, id: string): string | null {
  const prefix = `${idPrefixes[kind]}_`;
  if (!id.startsWith(prefix)) return null;
  const value = id.slice(prefix.length);
  return uuid.test(value) ? value : null;
}
