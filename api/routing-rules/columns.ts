import { pinColumns } from '../../domain/call/room-pin.js';
import type { AppDeps } from '../operation.js';
import type { CreateRoutingRule } from './create-body.js';

/** A rule's settings as its row keeps them: the PIN of its room sealed. */
export const columnsOf = (
  rule: CreateRoutingRule,
  of: { readonly accountId: string; readonly ruleId: string },
  { secretBox }: AppDeps,
) => ({
  name: rule.name,
  agent_id: rule.agentId ?? null,
  agent_metadata: JSON.stringify(rule.agentMetadata),
  room_type: rule.room.type,
  room_prefix: rule.room.prefix,
  room_id: rule.room.id ?? null,
  ...pinColumns(rule.room.pin, of, (pin, place) => secretBox.seal(pin, place)),
  include_headers: rule.includeHeaders,
  headers: JSON.stringify(rule.headers),
  headers_to_attributes: JSON.stringify(rule.headersToAttributes),
  allowed_numbers: rule.allowedNumbers,
  allowed_ip_addresses: rule.allowedIpAddresses,
  match_recent_days: rule.matchRecent?.days ?? null,
  tags: rule.tags,
  recording: rule.recording,
  dtmf: rule.dtmf,
  noise_cancellation: rule.noiseCancellation,
  hide_phone_number: rule.hidePhoneNumber,
});
