import { DataPacket_Kind, type ParticipantInfo, ParticipantInfo_Kind, ParticipantInfo_State } from '@livekit/protocol';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { v7 as uuidv7 } from 'uuid';
import type { LiveKitSetting } from './livekit.js';

/** A place in a room that nobody sees and that can say nothing. @param ttlSeconds within which it has to be taken */
export async function hiddenPlace(
  { apiKey, apiSecret }: LiveKitSetting,
  room: string,
  ttlSeconds: number,
): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { identity: `listener_${uuidv7()}`, ttl: ttlSeconds });
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

/**
 * Sends a text to agents of a room, and to nobody else.
 *
 * @param isMeant which of the agents that are there
 * @returns how many got it
 */
export async function sendToAgents(
  { url, apiKey, apiSecret }: LiveKitSetting,
  room: string,
  { topic, text }: { readonly topic: string; readonly text: string },
  isMeant: (agent: ParticipantInfo) => boolean,
): Promise<number> {
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds, failover: false });
  const agents = (await rooms.listParticipants(room)).filter(
    (each) => each.kind === ParticipantInfo_Kind.AGENT && each.state === ParticipantInfo_State.ACTIVE && isMeant(each),
  );
  // Without destinations everybody would get it.
  if (agents.length === 0) return 0;
  const destinationIdentities = agents.map(({ identity }) => identity);
  await rooms.sendData(room, Buffer.from(text), DataPacket_Kind.RELIABLE, { topic, destinationIdentities });
  return agents.length;
}
