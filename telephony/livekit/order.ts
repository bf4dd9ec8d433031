import {
  SIPHeaderOptions,
  SIPMediaConfig,
  SIPMediaEncryption,
  SIPOutboundConfig,
  SIPTransport,
} from '@livekit/protocol';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CreateSipParticipantOptions } from 'livekit-server-sdk';
import { callAttribute } from '../../domain/agent/job.js';
import { formatId } from '../../domain/ids.js';
import type { TrunkEnd } from '../../domain/phone/trunk-end.js';
import type { AttemptRef, DialOrder } from '../provider.js';

const transports = {
  udp: SIPTransport.SIP_TRANSPORT_UDP,
  tcp: SIPTransport.SIP_TRANSPORT_TCP,
  tls: SIPTransport.SIP_TRANSPORT_TLS,
} as const;

const headerOptions = {
  NONE: SIPHeaderOptions.SIP_NO_HEADERS,
  SIP_X_HEADERS: SIPHeaderOptions.SIP_X_HEADERS,
  ALL: SIPHeaderOptions.SIP_ALL_HEADERS,
} as const;

/** LiveKit cuts a dial at 80 s whatever it was told. */
const longestRingSeconds = 75;

/** How long the callee's phone may ring, in whole seconds as LiveKit takes them. */
export const ringSeconds = ({ ringTimeoutSeconds }: DialOrder): number =>
  Math.min(longestRingSeconds, Math.max(1, Math.round(ringTimeoutSeconds)));

/** A number as the trunk wants it; one whose country is not known is sent as it is, without the +. */
export function numberFor(e164: string, format: TrunkEnd['numberFormat']): string {
  if (format === 'e164') return e164;
  const withoutPlus = e164.replace(/^\+/, '');
  if (format === 'e164_without_plus') return withoutPlus;
  return parsePhoneNumberFromString(e164)?.formatNational().replace(/\D/g, '') ?? withoutPlus;
}

/** Whether the room is this INVITE's alone; a static room is the rule's and may hold several calls. */
export const isOwnRoom = ({ room, callId, attempt, invite }: AttemptRef): boolean =>
  room.endsWith(`${callId}_${attempt}_${invite}`);

/** The gateway as LiveKit dials by it: given with every call, so that gateways are stored in one place only. */
export const trunkOf = ({ address, transport, auth, fromHost }: TrunkEnd): SIPOutboundConfig =>
  new SIPOutboundConfig({
    hostname: address,
    transport: transports[transport],
    ...(auth === undefined ? {} : { authUsername: auth.username, authPassword: auth.password }),
    ...(fromHost === undefined ? {} : { fromHost }),
  });

/** The order as LiveKit takes it. A header of the rule or the call stands above one of the gateway. */
export function participantOf(order: DialOrder): CreateSipParticipantOptions & { readonly ringingTimeout: number } {
  const { gateway, participant } = order;
  const ringingTimeout = ringSeconds(order);
  return {
    fromNumber: numberFor(order.from, gateway.numberFormat),
    participantIdentity: order.identity,
    ...(participant?.name === undefined ? {} : { participantName: participant.name }),
    // For other participants of the room.
    participantAttributes: {
      [callAttribute]: formatId('call', order.callId),
      'outdial.dtmf': String(order.dtmf),
      'outdial.record': String(order.record),
      ...(participant?.id === undefined ? {} : { 'outdial.participantId': participant.id }),
    },
    includeHeaders: headerOptions[order.includeHeaders ?? 'NONE'],
    headers: { ...gateway.headers, ...order.headers },
    hidePhoneNumber: order.hidePhoneNumber,
    ringingTimeout,
    // LiveKit counts from the INVITE. The driver ends the call itself; this limit holds if its process has died.
    maxCallDuration: ringingTimeout + Math.ceil(order.maxCallSeconds),
    waitUntilAnswered: true,
    media: new SIPMediaConfig({
      encryption:
        gateway.mediaEncryption === 'enable'
          ? SIPMediaEncryption.SIP_MEDIA_ENCRYPT_REQUIRE
          : SIPMediaEncryption.SIP_MEDIA_ENCRYPT_DISABLE,
    }),
  };
}
