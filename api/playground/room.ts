import { RoomAgentDispatch, RoomConfiguration, TrackSource } from '@livekit/protocol';
import { AccessToken } from 'livekit-server-sdk';
import { agentName, formatAgentJob, type PlaygroundJob } from '../../domain/agent/job.js';
import { liveKitRoom } from '../../domain/call/room.js';
import type { LiveKitSetting } from '../../platform/livekit.js';

/** Seconds after which LiveKit closes a room that no one has entered, or that everyone has left. */
const emptyRoomSeconds = 60;
const leftRoomSeconds = 5;

interface RoomOfSession {
  readonly url: string;
  readonly room: string;
  readonly token: string;
}

/**
 * A room for one visitor and the agent. Nothing is asked of LiveKit: the token itself carries how the room is made and
 * which agent is sent there, so that a page which is only opened costs nothing.
 *
 * @param session the UUID that names the room
 * @param ttlSeconds within which the visitor has to enter
 */
export async function roomFor(
  { url, apiKey, apiSecret }: LiveKitSetting,
  job: PlaygroundJob,
  session: string,
  ttlSeconds: number,
): Promise<RoomOfSession> {
  const room = liveKitRoom(job.accountId, `playground_${session}`);
  const token = new AccessToken(apiKey, apiSecret, { identity: `visitor_${session}`, ttl: ttlSeconds });
  token.addGrant({
    room,
    roomJoin: true,
    canPublish: true,
    canPublishSources: [TrackSource.MICROPHONE],
    canPublishData: false,
    canSubscribe: true,
  });
  token.roomConfig = new RoomConfiguration({
    emptyTimeout: emptyRoomSeconds,
    departureTimeout: leftRoomSeconds,
    agents: [new RoomAgentDispatch({ agentName, metadata: formatAgentJob(job) })],
  });
  return { url, room, token: await token.toJwt() };
}
