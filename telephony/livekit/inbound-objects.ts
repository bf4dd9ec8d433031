import { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';
import { agentName, formatAgentJob } from '../../domain/agent/job.js';
import { areWholeNumbers } from '../../domain/phone/allowed-number.js';
import { uuidOf } from '../../domain/ids.js';
import { inboundAttributes, type InboundLine } from '../../domain/call/inbound-line.js';

/*
 * The two things that LiveKit keeps of an inbound number: a trunk (who may call it) and a dispatch rule (which room, which
 * agent). Their names carry our ids; objects with other names are not ours and stay as they are.
 */

const namePrefix = 'outdial';

const trunkName = ({ gatewayId, number }: InboundLine): string => `${namePrefix} ${gatewayId} ${number}`;
const ruleName = ({ ruleId, number }: InboundLine): string => `${namePrefix} ${ruleId} ${number}`;

/** The number that a thing of ours is about; null if it is not ours. */
function numberIn(name: string, kind: 'inboundGateway' | 'rule'): string | null {
  const [prefix, id = '', number = '', ...rest] = name.split(' ');
  return prefix === namePrefix && rest.length === 0 && uuidOf(kind, id) !== null && number.startsWith('+')
    ? number
    : null;
}

/** Number of a trunk that this service has made, or null. */
export const numberOfTrunk = ({ name }: SIPInboundTrunkInfo): string | null => numberIn(name, 'inboundGateway');

/** Number of a dispatch rule that this service has made, or null. */
export const numberOfRule = ({ name }: SIPDispatchRuleInfo): string | null => numberIn(name, 'rule');

/**
 * A range of one for a single address. LiveKit also compares what is allowed with the host of the caller's From header, in
 * which anyone may write an address, but no honest caller a range (domain/call/inbound-call.ts, `claimsRange`).
 */
const asRange = (address: string): string =>
  address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`;

/** The trunk: which callers are allowed. */
export function trunkFor(line: InboundLine): SIPInboundTrunkInfo {
  // LiveKit compares whole numbers; beginnings are looked at when the call comes in.
  const exact = areWholeNumbers(line.allowedNumbers);
  return SIPInboundTrunkInfo.fromJson({
    name: trunkName(line),
    numbers: [line.number],
    allowedAddresses: line.allowedAddresses.map(asRange),
    allowedNumbers: exact ? [...line.allowedNumbers] : [],
    authUsername: line.auth?.username ?? '',
    authPassword: line.auth?.password ?? '',
    headersToAttributes: { ...line.headersToAttributes },
    includeHeaders: { NONE: 'SIP_NO_HEADERS', SIP_X_HEADERS: 'SIP_X_HEADERS', ALL: 'SIP_ALL_HEADERS' }[
      line.includeHeaders
    ],
    maxCallDuration: `${line.maxCallSeconds}s`,
    media: {
      encryption: line.mediaEncryption === 'enable' ? 'SIP_MEDIA_ENCRYPT_REQUIRE' : 'SIP_MEDIA_ENCRYPT_DISABLE',
    },
    krispEnabled: false,
  });
}

/** The dispatch rule: the room of its calls. @param trunkId the trunk of the same number */
export function dispatchRuleFor(line: InboundLine, trunkId: string): SIPDispatchRuleInfo {
  const { room } = line;
  const agent = { agentName, metadata: formatAgentJob({ kind: 'inbound', ruleId: line.ruleId }) };
  return SIPDispatchRuleInfo.fromJson({
    name: ruleName(line),
    trunkIds: [trunkId],
    rule:
      room.type === 'static'
        ? { dispatchRuleDirect: { roomName: room.name, pin: room.pin } }
        : { dispatchRuleIndividual: { roomPrefix: room.prefix, pin: room.pin } },
    hidePhoneNumber: line.hidePhoneNumber,
    attributes: { [inboundAttributes.rule]: line.ruleId, [inboundAttributes.number]: line.number },
    roomConfig: { agents: line.hasAgent ? [agent] : [] },
    krispEnabled: false,
  });
}

/** The same for the same values, whatever their order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, each]) => `${key}:${canonical(each)}`).join()}}`;
}

const trunkFields = (trunk: SIPInboundTrunkInfo): string => {
  const { name, numbers, allowedAddresses, allowedNumbers, authUsername, authPassword } = trunk;
  const { headersToAttributes, includeHeaders, maxCallDuration, media, krispEnabled } = trunk;
  return canonical([
    ...[name, numbers, [...allowedAddresses].sort(), [...allowedNumbers].sort(), authUsername, authPassword],
    ...[
      headersToAttributes,
      includeHeaders,
      String(maxCallDuration?.seconds ?? 0),
      media?.encryption ?? 0,
      krispEnabled,
    ],
  ]);
};

const ruleFields = ({
  name,
  trunkIds,
  rule,
  hidePhoneNumber,
  attributes,
  roomConfig,
  krispEnabled,
}: SIPDispatchRuleInfo) =>
  canonical([
    ...[name, trunkIds, rule?.toJson() ?? null, hidePhoneNumber, attributes, krispEnabled],
    (roomConfig?.agents ?? []).map((agent) => [agent.agentName, agent.metadata]),
  ]);

/** Whether LiveKit's trunk says what ours says; what only LiveKit knows, such as its id, does not count. */
export const sameTrunk = (one: SIPInboundTrunkInfo, other: SIPInboundTrunkInfo): boolean =>
  trunkFields(one) === trunkFields(other);

/** As `sameTrunk`, for dispatch rules. */
export const sameRule = (one: SIPDispatchRuleInfo, other: SIPDispatchRuleInfo): boolean =>
  ruleFields(one) === ruleFields(other);
