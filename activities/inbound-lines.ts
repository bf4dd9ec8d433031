import { type SecretPlace, secretPlaces } from '../domain/account/secret-places.js';
import type { InboundLineRow } from '../db/queries/telephony/inbound-lines.js';
import { commonAllowedNumbers } from '../domain/phone/allowed-number.js';
import { allowedHeaderAttributes } from '../domain/call/inbound-call.js';
import type { InboundLine, InboundObstacle, InboundRoom } from '../domain/call/inbound-line.js';
import { liveKitRoom } from '../domain/call/room.js';
import { pinOf } from '../domain/call/room-pin.js';
import { commonAddresses } from '../platform/ip-address.js';

type Open = (sealed: string, place: SecretPlace) => string;

function roomOf(row: InboundLineRow, open: Open): InboundRoom {
  const { accountId, roomType, roomPrefix, roomId, number, ruleId } = row;
  const pin = pinOf(row, row, open) ?? '';
  if (roomType === 'static' && roomId !== null) return { type: 'static', name: liveKitRoom(accountId, roomId), pin };
  // LiveKit appends the caller's number and a random part: only the beginning can be chosen.
  const prefixes: Readonly<Record<string, string>> = { sipNumber: number, random: ruleId.slice(-12) };
  return { type: 'dynamic', prefix: liveKitRoom(accountId, prefixes[roomPrefix] ?? 'inbound'), pin };
}

/**
 * Makes the line that the carrier's side has to know for a number, or says why calls to it are refused. A caller needs to be
 * allowed by both the gateway and the rule. A number without credentials and without addresses is refused: anyone could
 * call it.
 *
 * @param open opens a sealed secret
 */
export function inboundLineOf(row: InboundLineRow, open: Open): InboundLine | InboundObstacle {
  const allowedAddresses = commonAddresses(row.gatewayAddresses, row.ruleAddresses);
  if (allowedAddresses === null) return 'no_address_in_common';
  const allowedNumbers = commonAllowedNumbers(row.gatewayNumbers, row.ruleNumbers);
  if (allowedNumbers === null) return 'no_caller_in_common';
  const { authUsername, authPasswordSealed } = row;
  const place = secretPlaces.gatewayPassword(row.accountId, row.gatewayId);
  const hasAuth = authUsername !== null && authPasswordSealed !== null;
  if (!hasAuth && allowedAddresses.length === 0) return 'open_to_everyone';
  return {
    number: row.number,
    gatewayId: row.gatewayId,
    ruleId: row.ruleId,
    region: row.region,
    allowedAddresses,
    allowedNumbers,
    ...(hasAuth ? { auth: { username: authUsername, password: open(authPasswordSealed, place) } } : {}),
    mediaEncryption: row.mediaEncryption === 'enable' ? 'enable' : 'disable',
    maxCallSeconds: row.maxCallSeconds,
    headersToAttributes: allowedHeaderAttributes(row.headersToAttributes),
    includeHeaders:
      row.includeHeaders === 'ALL' || row.includeHeaders === 'SIP_X_HEADERS' ? row.includeHeaders : 'NONE',
    room: roomOf(row, open),
    hidePhoneNumber: row.hidePhoneNumber,
    hasAgent: row.agentId !== null,
  };
}
