import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { type SecretPlace, secretPlaces } from '../domain/account/secret-places.js';
import { calleeIdentity } from '../domain/call/callee-identity.js';
import { liveKitRoom, roomFor } from '../domain/call/room.js';
import type { AttemptRef, DialOrder } from '../telephony/provider.js';

/** Opens what platform/secret-box.ts sealed. */
export type OpenSecret = (sealed: string, place: SecretPlace) => string;

/** The reference of one INVITE of an attempt. */
export const refOf = (attempt: ClaimedAttempt, invite: number, room: string): AttemptRef => ({
  callId: attempt.callId,
  attempt: attempt.attempt,
  invite,
  gatewayId: attempt.gatewayId,
  room,
});

/**
 * The provider's order for the next INVITE of a claimed attempt. If the rule and the call both set something, the rule
 * decides, except for the times: the call's own come first.
 */
export function orderFor(attempt: ClaimedAttempt, openSecret: OpenSecret): DialOrder {
  const invite = attempt.invite + 1;
  const { options, participant } = attempt;
  const parties = { callId: attempt.callId, to: attempt.toNumber, from: attempt.fromNumber };
  const call = { ...parties, askedRoom: options?.destinationRoomId, hidesNumber: options?.hidePhoneNumber };
  const rule = {
    room_type: attempt.roomType,
    room_prefix: attempt.roomPrefix,
    room_id: attempt.ruleRoomId,
    hide_phone_number: attempt.hidePhoneNumber,
  };
  const { authUsername: username, authPasswordSealed: sealed } = attempt;
  const place = secretPlaces.gatewayPassword(attempt.accountId, attempt.gatewayId);
  return {
    ...refOf(attempt, invite, liveKitRoom(attempt.accountId, roomFor(rule, call, attempt.attempt, invite))),
    to: attempt.toNumber,
    from: attempt.fromNumber,
    identity: calleeIdentity({ ...attempt, invite }),
    ...(participant === null ? {} : { participant }),
    ringTimeoutSeconds: options?.ringingTimeout ?? attempt.ringTimeoutSeconds,
    maxCallSeconds: options?.maxCallDuration ?? attempt.maxCallSeconds,
    headers: { ...options?.headers, ...attempt.ruleHeaders },
    // A rule sets something if it differs from its defaults, which are all off.
    includeHeaders: attempt.includeHeaders === 'NONE' ? (options?.includeHeaders ?? 'NONE') : attempt.includeHeaders,
    hidePhoneNumber: attempt.hidePhoneNumber || options?.hidePhoneNumber === true,
    dtmf: attempt.dtmf || attempt.gatewayDtmf || options?.dtmf === true,
    record: attempt.recording || attempt.gatewayRecord || options?.recordAudio === true,
    gateway: {
      id: attempt.gatewayId,
      address: attempt.address,
      transport: attempt.transport,
      mediaEncryption: options?.mediaEncryption ?? attempt.mediaEncryption,
      region: attempt.sipRegion,
      headers: attempt.gatewayHeaders,
      numberFormat: attempt.numberFormat,
      ...(attempt.fromHost === null ? {} : { fromHost: attempt.fromHost }),
      ...(username === null ? {} : { auth: { username, password: sealed === null ? '' : openSecret(sealed, place) } }),
    },
  };
}
