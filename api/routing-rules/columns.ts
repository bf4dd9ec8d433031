import type { CreateRoutingRule } from './create-body.js';

/** A rule's settings as its row keeps them. */
export const columnsOf = (rule: CreateRoutingRule) => ({
  name: rule.name,
  agent_id: rule.agentId ?? null,
  agent_metadata: JSON.stringify(rule.agentMetadata),
  room_type: rule.room.type,
  room_prefix: rule.room.prefix,
  room_id: rule.room.id ?? null,
  room_pin: rule.room.pin ?? null,
  include_headers: rule.includeHeaders,
  headers: JSON.stringify(rule.headers),
  headers_to_attributes: JSON.stringify(rule.headersToAttributes),
  allowed_numbers: rule.allowedNumbers,
  allowed_ip_addresses: rule.allowedIpAddresses,
  tags: rule.tags,
  recording: rule.recording,
  dtmf: rule.dtmf,
  noise_cancellation: rule.noiseCancellation,
  hide_phone_number: rule.hidePhoneNumber,
});
