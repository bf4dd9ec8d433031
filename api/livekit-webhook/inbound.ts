import { DisconnectReason, ParticipantInfo_Kind } from '@livekit/protocol';
import type { WebhookEvent } from 'livekit-server-sdk';
import type { Db } from '../../db/client.js';
import { inboundAnswered, inboundCall, inboundEnded } from '../../db/queries/calls/inbound.js';
import { isAnsweredStatus, readInboundLeg } from '../../domain/call/inbound-call.js';
import { disconnectOf } from '../../domain/call/disconnect.js';

/** Reasons of leaving after which LiveKit may have the participant back: the list of the room's participants decides. */
const mayComeBack: ReadonlySet<number> = new Set([
  DisconnectReason.SERVER_SHUTDOWN,
  DisconnectReason.STATE_MISMATCH,
  DisconnectReason.MIGRATION,
  DisconnectReason.SIGNAL_CLOSE,
]);

/** LiveKit tells times in whole seconds, cut off: as late as that second was, but not later than now. */
const lateInSecond = (at: Date): Date => new Date(Math.min(at.getTime() + 999, Math.max(at.getTime(), Date.now())));

/**
 * Makes, answers or ends the call that an event is about, if it is about the caller of an inbound number of ours.
 * Webhooks may come twice, late or in any order: a call never goes back to what it was.
 *
 * @param onEnded called with a call that this has ended, bare UUID
 * @returns whether it was about one
 */
export async function storeInbound(
  db: Db,
  { event, room, participant }: WebhookEvent,
  toldAt: Date,
  region: string,
  onEnded: (callId: string) => void = () => undefined,
): Promise<boolean> {
  if (room === undefined || participant === undefined) return false;
  // A participant that may change its own attributes could write anything there.
  if (participant.kind !== ParticipantInfo_Kind.SIP) return false;
  const leg = readInboundLeg(participant.attributes);
  if (leg === null) return false;
  const call = await inboundCall(db, { leg, region, room: room.name, identity: participant.identity });
  if (call === null) return false;
  const at = lateInSecond(toldAt);
  if (event === 'participant_joined') {
    if (isAnsweredStatus(leg.callStatus)) await inboundAnswered(db, call, at);
  } else if (!mayComeBack.has(participant.disconnectReason)) {
    const ended = await inboundEnded(db, call, disconnectOf(participant.attributes, participant.disconnectReason, at));
    if (ended) onEnded(call.callId);
  }
  return true;
}
