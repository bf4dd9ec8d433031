import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { type SecretPlace, secretPlaces } from '../domain/account/secret-places.js';
import { calleeIdentity } from '../domain/call/callee-identity.js';
import { liveKitRoom, roomFor } from '../domain/call/room.js';
import type { AttemptRef, DialOrder } from '../telephony/provider.js';

/** Opens what platform/secret-box.ts sealed. */
export type OpenSecret = (sealed: string, place: SecretPlace) => string;

/** The reference of one INVITE of an attempt. */
export const refOf = (attempt: ClaimedAttempt, invite: number, room: string): AttemptRef => ({
  callId: attempt.call_id,
  attempt: attempt.number,
  invite,
  gatewayId: attempt.gateway_id,
  room,
});

/**
 * The provider's order for the next INVITE of a claimed attempt. If the rule and the call both set something, the rule
 * decides, except for the times: the call's own come first.
 */
export function orderFor(attempt: ClaimedAttempt, openSecret: OpenSecret): DialOrder {
  const invite = attempt.invite + 1;
  const { options, participant } = attempt;
  const parties = { callId: attempt.call_id, to: attempt.to_number, from: attempt.from_number };
  const call = { ...parties, askedRoom: options?.destinationRoomId, hidesNumber: options?.hidePhoneNumber };
  const rule = {
    room_type: attempt.room_type,
    room_prefix: attempt.room_prefix,
    room_id: attempt.rule_room_id,
    hide_phone_number: attempt.hide_phone_number,
  };
  const { auth_username: username, auth_password_sealed: sealed } = attempt;
  const place = secretPlaces.gatewayPassword(attempt.account_id, attempt.gateway_id);
  return {
    ...refOf(attempt, invite, liveKitRoom(attempt.account_id, roomFor(rule, call, attempt.number, invite))),
    to: attempt.to_number,
    from: attempt.from_number,
    identity: calleeIdentity({ callId: attempt.call_id, attempt: attempt.number, invite }),
    ...(participant === null ? {} : { participant }),
    ringTimeoutSeconds: options?.ringingTimeout ?? attempt.ring_timeout_seconds,
    maxCallSeconds: options?.maxCallDuration ?? attempt.max_call_seconds,
    headers: { ...options?.headers, ...attempt.rule_headers },
    // A rule sets something if it differs from its defaults, which are all off.
    includeHeaders: attempt.include_headers === 'NONE' ? (options?.includeHeaders ?? 'NONE') : attempt.include_headers,
    hidePhoneNumber: attempt.hide_phone_number || options?.hidePhoneNumber === true,
    dtmf: attempt.dtmf || attempt.gateway_dtmf || options?.dtmf === true,
    record: attempt.recording || attempt.gateway_record || options?.recordAudio === true,
    gateway: {
      id: attempt.gateway_id,
      address: attempt.address,
      transport: attempt.transport,
      mediaEncryption: options?.mediaEncryption ?? attempt.media_encryption,
      region: attempt.sip_region,
      headers: attempt.gateway_headers,
      numberFormat: attempt.number_format,
      ...(attempt.from_host === null ? {} : { fromHost: attempt.from_host }),
      ...(username === null ? {} : { auth: { username, password: sealed === null ? '' : openSecret(sealed, place) } }),
    },
  };
}
