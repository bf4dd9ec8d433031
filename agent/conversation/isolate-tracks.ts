import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import { RoomServiceClient } from 'livekit-server-sdk';
import { callAttribute } from '../../domain/agent/job.js';
import { readCalleeIdentity } from '../../domain/call/callee-identity.js';
import { readInboundLeg } from '../../domain/call/inbound-call.js';
import type { LiveKitSetting } from '../../platform/livekit.js';

/** A telephone takes whatever it is offered, also again after it was told not to. */
const lookEveryMs = 2_000;

/** Other telephones, and the agents that talk on them; people who listen in on a static room are neither. */
const isOfACall = ({ identity, attributes }: RemoteParticipant): boolean =>
  readCalleeIdentity(identity) !== null ||
  attributes[callAttribute] !== undefined ||
  readInboundLeg(attributes) !== null;

/**
 * Keeps calls that share a static room apart: what is said on the others is not sent to this callee. Their agents do the
 * same for theirs.
 *
 * @param identity the callee's
 * @param over aborted when the callee has left
 */
export function isolateTracks(
  room: Room,
  identity: string,
  { url, apiKey, apiSecret }: LiveKitSetting,
  over: AbortSignal,
): void {
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: lookEveryMs / 1000 });
  const foreign = (): string[] =>
    [...room.remoteParticipants.values()]
      .filter((each) => each.identity !== identity && isOfACall(each))
      .flatMap((each) => [...each.trackPublications.values()].flatMap(({ sid }) => sid ?? []));
  const look = (): void => {
    const tracks = foreign();
    if (tracks.length === 0 || over.aborted) return;
    // Repeated soon; if it was too early, the callee is not there yet.
    rooms.updateSubscriptions(room.name ?? '', identity, tracks, false).catch(() => undefined);
  };
  const timer = setInterval(look, lookEveryMs);
  room.on(RoomEvent.TrackPublished, look);
  room.on(RoomEvent.ParticipantConnected, look);
  over.addEventListener('abort', () => clearInterval(timer), { once: true });
  look();
}
