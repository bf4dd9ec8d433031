import { DataPacket_Kind, type ParticipantInfo, ParticipantInfo_Kind, ParticipantInfo_State } from '@livekit/protocol';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import type { LiveKitSetting } from './livekit.js';

const listenerIdentity = (id: string): string => `listener_${id}`;

/** A place in a room that is hidden from the others, and only hears. */
export interface HiddenPlace {
  readonly room: string;
  /** A UUID. */
  readonly id: string;
}

/** @param ttlSeconds within which the place has to be taken. @returns the token that lets in */
export async function hiddenPlace(
  { apiKey, apiSecret }: LiveKitSetting,
  { room, id }: HiddenPlace,
  ttlSeconds: number,
): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { identity: listenerIdentity(id), ttl: ttlSeconds });
  token.addGrant({
    room,
    roomJoin: true,
    hidden: true,
    canSubscribe: true,
    canPublish: false,
    canPublishData: false,
    canUpdateOwnMetadata: false,
  });
  return token.toJwt();
}

const requestSeconds = 5;

const roomsOf = ({ url, apiKey, apiSecret }: LiveKitSetting): RoomServiceClient =>
  new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds, failover: false });

/** Takes who has a hidden place out of the room. Until the token's end, it lets in again. @returns whether they were there */
export async function takeOut(liveKit: LiveKitSetting, { room, id }: HiddenPlace): Promise<boolean> {
  const rooms = roomsOf(liveKit);
  const identity = listenerIdentity(id);
  const isThere = (await rooms.listParticipants(room)).some((each) => each.identity === identity);
  if (isThere) await rooms.removeParticipant(room, identity);
  return isThere;
}

/**
 * Sends a text to agents of a room, and to nobody else.
 *
 * @param isMeant which of the agents that are there
 * @returns how many got it
 */
export async function sendToAgents(
  liveKit: LiveKitSetting,
  room: string,
  { topic, text }: { readonly topic: string; readonly text: string },
  isMeant: (agent: ParticipantInfo) => boolean,
): Promise<number> {
  const rooms = roomsOf(liveKit);
  const agents = (await rooms.listParticipants(room)).filter(
    (each) => each.kind === ParticipantInfo_Kind.AGENT && each.state === ParticipantInfo_State.ACTIVE && isMeant(each),
  );
  // Without destinations everybody would get it.
  if (agents.length === 0) return 0;
  const destinationIdentities = agents.map(({ identity }) => identity);
  await rooms.sendData(room, Buffer.from(text), DataPacket_Kind.RELIABLE, { topic, destinationIdentities });
  return agents.length;
}
