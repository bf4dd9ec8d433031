import { z } from 'zod';
import type { RuleRow } from '../../db/queries/telephony/routing-rules.js';
import type { SecretPlace } from '../../domain/account/secret-places.js';
import { pinOf } from '../../domain/call/room-pin.js';
import { instant, ownData } from '../fields.js';
import type { AppDeps } from '../operation.js';

export const ruleTypes = ['inbound', 'outbound'] as const;
export const roomTypes = ['static', 'dynamic'] as const;
export const roomPrefixes = ['blank', 'participantNumber', 'sipNumber', 'random'] as const;
export const headerInclusions = ['NONE', 'SIP_X_HEADERS', 'ALL'] as const;

/** Setting of an inbound rule: whom the account called in so many days is connected as in that call. */
export const MatchRecent = z
  .strictObject({ days: z.int().min(1).max(90).describe('How long ago the call may have been, 1 to 90 days') })
  .meta({
    id: 'MatchRecent',
    description:
      'Whom the account called in the last days gets the agent and the metadata of that call: of the latest from the ' +
      'number that is called back, else from any number of the account, answered or not. `agentId` takes all other ' +
      'calls, and those whose agent is not active any more. Hidden numbers match no call',
  });

/** A rule as examples show it. */
export const exampleRule = {
  id: 'rule_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c50',
  type: 'outbound' as const,
  numbers: ['+14155550100'],
  phoneNumbers: ['+14155550100'],
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-02T09:30:00.000Z',
  name: 'Reminders',
  apiKey: 'key_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c01',
  agentId: 'agt_01931f6e-7a3c-7c11-8f0e-3b1f6a2d9c11',
  agentMetadata: { team: 'north' },
  room: { type: 'dynamic' as const, prefix: 'participantNumber' as const },
  includeHeaders: 'NONE' as const,
  headers: { 'X-Campaign': 'spring' },
  headersToAttributes: {},
  allowedNumbers: [],
  allowedIpAddresses: [],
  tags: [],
  recording: false,
  dtmf: false,
  noiseCancellation: false,
  hidePhoneNumber: false,
};

export const RoutingRule = z
  .strictObject({
    id: z.string().describe('Id of the rule, `rule_…`'),
    type: z.enum(ruleTypes).describe('Which calls it is for'),
    numbers: z.array(z.string()).describe('The same list as phoneNumbers'),
    phoneNumbers: z.array(z.string()).describe('Numbers that the rule is attached to, E.164'),
    createdAt: instant().describe('When it was made'),
    updatedAt: instant().describe('When it was changed last'),
    name: z.string().describe('Name of the rule'),
    apiKey: z.string().optional().describe('Public id of the key that made the rule'),
    agentId: z.string().optional().describe('Agent that takes part in the calls; every outbound rule has one'),
    agentMetadata: ownData().describe('Passed to the agent on every call of the rule'),
    room: z
      .strictObject({
        type: z.enum(roomTypes).describe('static: one room for all; dynamic: one for each call'),
        prefix: z.enum(roomPrefixes).describe('What the name of a dynamic room begins with'),
        id: z.string().optional().describe('Static rooms only'),
        pin: z
          .string()
          .optional()
          .describe(
            'Digits that a caller has to press to be let in; bullets for a token that only reads, and if they cannot be read',
          ),
      })
      .describe('Room that the calls take place in'),
    problem: z
      .string()
      .optional()
      .describe('Why the rule does not work until it is changed, such as a PIN that can no longer be read'),
    includeHeaders: z.enum(headerInclusions).describe('SIP headers of the call that the agent sees'),
    headers: z.record(z.string(), z.string()).describe('SIP headers of the INVITE'),
    headersToAttributes: z
      .record(z.string(), z.string())
      .describe("SIP header → attribute of the caller's participant"),
    allowedNumbers: z.array(z.string()).describe('Callers of an inbound rule, callees of an outbound one; empty: all'),
    allowedIpAddresses: z.array(z.string()).describe('CIDR ranges that calls may come from; empty: anywhere'),
    matchRecent: MatchRecent.optional().describe('Connects callers whom the account called so lately as in that call'),
    tags: z.array(z.string()).describe("The caller's own words for it"),
    recording: z.boolean().describe('Whether its calls are recorded'),
    dtmf: z.boolean().describe('Whether keys are heard'),
    noiseCancellation: z.boolean().describe('Whether noise is taken out'),
    hidePhoneNumber: z.boolean().describe("Whether the other side's number is kept out of the room"),
  })
  .meta({ id: 'RoutingRule', examples: [exampleRule] });
export type RoutingRule = z.output<typeof RoutingRule>;

// Columns whose values the database itself limits to these, read as such.
const Stored = z.object({
  type: z.enum(ruleTypes),
  room_type: z.enum(roomTypes),
  room_prefix: z.enum(roomPrefixes),
  include_headers: z.enum(headerInclusions),
  agent_metadata: ownData(),
  headers: z.record(z.string(), z.string()),
  headers_to_attributes: z.record(z.string(), z.string()),
});

/** Shown in place of a PIN to tokens that may not use it. */
const maskedPin = '••••';
const unreadablePin = 'The PIN of the room cannot be read, so inbound calls go on as before. Set it again.';

/** Null: there is none. Undefined: it cannot be read, which must not keep the rest of a list from being shown. */
function pinShown(seesSecrets: boolean, read: () => string | null): string | null | undefined {
  try {
    const pin = read();
    return pin === null || seesSecrets ? pin : maskedPin;
  } catch {
    return undefined;
  }
}

/**
 * A rule, as every operation answers it.
 *
 * @param seesSecrets whether who asks may read the PIN of its room
 */
export function routingRuleBody(
  rule: RuleRow,
  { seesSecrets }: { readonly seesSecrets: boolean },
  { secretBox }: AppDeps,
): RoutingRule {
  const stored = Stored.parse(rule);
  const { account_id: accountId, id: ruleId, room_pin: roomPin, room_pin_sealed: roomPinSealed } = rule;
  const open = (sealed: string, place: SecretPlace) => secretBox.open(sealed, place);
  const pin = pinShown(seesSecrets, () => pinOf({ roomPin, roomPinSealed }, { accountId, ruleId }, open));
  return {
    id: rule.id,
    type: stored.type,
    numbers: [...rule.numbers],
    phoneNumbers: [...rule.numbers],
    createdAt: rule.created_at.toISOString(),
    updatedAt: rule.updated_at.toISOString(),
    name: rule.name,
    ...(rule.api_key_id === null ? {} : { apiKey: rule.api_key_id }),
    ...(rule.agent_id === null ? {} : { agentId: rule.agent_id }),
    agentMetadata: stored.agent_metadata,
    room: {
      type: stored.room_type,
      prefix: stored.room_prefix,
      ...(rule.room_id === null ? {} : { id: rule.room_id }),
      ...(pin === null ? {} : { pin: pin ?? maskedPin }),
    },
    ...(pin === undefined ? { problem: unreadablePin } : {}),
    includeHeaders: stored.include_headers,
    headers: stored.headers,
    headersToAttributes: stored.headers_to_attributes,
    allowedNumbers: rule.allowed_numbers,
    allowedIpAddresses: rule.allowed_ip_addresses,
    ...(rule.match_recent_days === null ? {} : { matchRecent: { days: rule.match_recent_days } }),
    tags: rule.tags,
    recording: rule.recording,
    dtmf: rule.dtmf,
    noiseCancellation: rule.noise_cancellation,
    hidePhoneNumber: rule.hide_phone_number,
  };
}
