import { setTimeout as pause } from 'node:timers/promises';
import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import { inboundAnswered, type InboundCall, inboundCall } from '../../db/queries/calls/inbound.js';
import { readInboundLeg } from '../../domain/call/inbound-call.js';
import { watchCallee } from './callee.js';
import type { AgentDeps } from './deps.js';
import { ownRegion } from '../worker/region.js';

/** A caller is in the room before the agent is sent, as a rule. */
const longestWaitMs = 10_000;
const mostTries = 5;
const tryAgainMs = 500;

const isOf = (ruleId: string, { attributes }: RemoteParticipant): boolean =>
  readInboundLeg(attributes)?.ruleId === ruleId;

/** Waits for the participant of a caller to a number of the rule. @returns null if none comes */
async function callerIn(room: Room, ruleId: string): Promise<RemoteParticipant | null> {
  let timer: NodeJS.Timeout | undefined;
  const found = await new Promise<RemoteParticipant | null>((resolve) => {
    const look = (): void => {
      for (const each of room.remoteParticipants.values()) if (isOf(ruleId, each)) resolve(each);
    };
    room.on(RoomEvent.ParticipantConnected, look);
    room.on(RoomEvent.ParticipantAttributesChanged, look);
    room.on(RoomEvent.Disconnected, () => resolve(null));
    timer = setTimeout(() => resolve(null), longestWaitMs);
    look();
  });
  clearTimeout(timer);
  return found;
}

/** Stores when the call is answered: when this agent can be heard. If this fails, the dialer finds it out. */
async function tellAnswered({ database, logger }: AgentDeps, call: InboundCall, answered: Promise<boolean>) {
  if (!(await answered)) return;
  const at = new Date();
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      await inboundAnswered(database.db, call, at);
      return;
    } catch (error) {
      logger.warn({ err: error, tries }, 'the answer of an inbound call could not be stored');
      await pause(tryAgainMs);
    }
  }
}

/**
 * The call of an inbound job; made here unless the webhook was faster. The room is connected.
 *
 * @returns its bare UUID and the caller's identity; null if there is no caller, or no rule of the number is known
 */
export async function answerCaller(
  deps: AgentDeps,
  room: Room,
  ruleId: string,
): Promise<{ readonly callId: string; readonly identity: string } | null> {
  const caller = await callerIn(room, ruleId);
  const leg = caller === null ? null : readInboundLeg(caller.attributes);
  if (caller === null || leg === null) return null;
  const { identity } = caller;
  const region = ownRegion(deps.env).name;
  const call = await inboundCall(deps.database.db, { leg, region, room: room.name ?? '', identity });
  if (call === null) return null;
  void tellAnswered(deps, call, watchCallee(room, identity).answered);
  return { callId: call.callId, identity };
}
