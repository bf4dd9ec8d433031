import { RoomServiceClient } from 'livekit-server-sdk';
import { endedAttribute, type VisitorEnd, visitorEnds } from '../../domain/agent/job.js';
import { type AgentLeg, orderAgentHangUp } from '../../db/queries/calls/conversation.js';
import type { AgentDeps } from './deps.js';
import { ownRegion } from '../worker/region.js';
import type { EndReason } from '../../domain/call/end-reasons.js';

const requestSeconds = 5;

const isVisitorEnd = (reason: EndReason | VisitorEnd): reason is VisitorEnd =>
  visitorEnds.some((end) => end === reason);

/** The leg that an agent is on. */
interface AgentsLeg {
  /** null: it was not dialed (playground). */
  readonly leg: AgentLeg | null;
  readonly room: string;
  readonly identity: string;
  readonly deps: AgentDeps;
}

/**
 * Ends the leg of an agent. Asks both the dialer that holds it, so that the call's record says why, and LiveKit itself, because
 * that dialer may be gone. A leg ends once: the second request finds no participant.
 */
export async function endLeg({ leg, room, identity, deps }: AgentsLeg, reason: EndReason | VisitorEnd): Promise<void> {
  const { logger } = deps;
  if (leg !== null && !isVisitorEnd(reason)) {
    await orderAgentHangUp(deps.database.db, leg, reason).catch((error: unknown) =>
      logger.warn({ err: error }, 'the dialer could not be told to hang up'),
    );
  }
  const { url, apiKey, apiSecret } = ownRegion(deps.env);
  const rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds });
  // The page of the playground has nothing else that would tell it why.
  if (leg === null) {
    await rooms
      .updateParticipant(room, identity, { attributes: { [endedAttribute]: reason } })
      .catch(() => logger.debug('the visitor of the playground could not be told why the call ended'));
  }
  await rooms
    .removeParticipant(room, identity)
    // The message of a refusal may hold the token. A participant that is gone already is no error.
    .catch(() => logger.debug('the callee had left before LiveKit was asked'));
}
