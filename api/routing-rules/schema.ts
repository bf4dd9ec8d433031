import { z } from 'zod';
import type { RuleRow } from '../../db/queries/routing-rules.js';
import { instant, ownData } from '../fields.js';

export const ruleTypes = ['inbound', 'outbound'] as const;
export const roomTypes = ['static', 'dynamic'] as const;
export const roomPrefixes = ['blank', 'participantNumber', 'sipNumber', 'random'] as const;
export const headerInclusions = ['NONE', 'SIP_X_HEADERS', 'ALL'] as const;

export const RoutingRule = z
  .strictObject({
    id: z.string(),
    type: z.enum(ruleTypes),
    numbers: z.array(z.string()).describe('The same list as phoneNumbers'),
    phoneNumbers: z.array(z.string()),
    createdAt: instant(),
    updatedAt: instant(),
    name: z.string(),
    apiKey: z.string().optional().describe('Public id of the key that made the rule'),
    agentId: z.string().optional(),
    agentMetadata: ownData(),
    room: z.strictObject({
      type: z.enum(roomTypes),
      prefix: z.enum(roomPrefixes),
      id: z.string().optional().describe('Static rooms only'),
      pin: z.string().optional(),
    }),
    includeHeaders: z.enum(headerInclusions),
    headers: z.record(z.string(), z.string()),
    headersToAttributes: z.record(z.string(), z.string()),
    allowedNumbers: z.array(z.string()),
    allowedIpAddresses: z.array(z.string()),
    tags: z.array(z.string()),
    recording: z.boolean(),
    dtmf: z.boolean(),
    noiseCancellation: z.boolean(),
    hidePhoneNumber: z.boolean(),
  })
  .meta({ id: 'RoutingRule' });

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

/** A rule, as every operation answers it. */
export function routingRuleBody(rule: RuleRow): z.output<typeof RoutingRule> {
  const stored = Stored.parse(rule);
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
      ...(rule.room_pin === null ? {} : { pin: rule.room_pin }),
    },
    includeHeaders: stored.include_headers,
    headers: stored.headers,
    headersToAttributes: stored.headers_to_attributes,
    allowedNumbers: rule.allowed_numbers,
    allowedIpAddresses: rule.allowed_ip_addresses,
    tags: rule.tags,
    recording: rule.recording,
    dtmf: rule.dtmf,
    noiseCancellation: rule.noise_cancellation,
    hidePhoneNumber: rule.hide_phone_number,
  };
}
