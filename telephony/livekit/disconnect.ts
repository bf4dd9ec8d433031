import { DisconnectReason } from '@livekit/protocol';
import type { EndReason } from '../../domain/call/end-reasons.js';
import type { Disconnect } from '../../domain/call/disconnect.js';
import type { AttemptResult } from '../provider.js';
import type { LegRecord } from './records.js';

/** Reasons of leaving after which LiveKit may have the participant back: the leg itself goes on. */
const mayComeBack: ReadonlySet<number> = new Set([
  DisconnectReason.SERVER_SHUTDOWN,
  DisconnectReason.STATE_MISMATCH,
  DisconnectReason.MIGRATION,
  DisconnectReason.SIGNAL_CLOSE,
]);

/** @returns false if LiveKit may have the participant back, or has not said how it left */
export const isFinal = (disconnect: Disconnect | null): disconnect is Disconnect =>
  disconnect !== null && !mayComeBack.has(disconnect.disconnectReason);

const removed: ReadonlySet<number> = new Set([
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
]);

const unavailable: ReadonlySet<number> = new Set([DisconnectReason.USER_UNAVAILABLE]);
const refused: ReadonlySet<number> = new Set([DisconnectReason.USER_REJECTED]);
/** Another participant joined the room under the same identity. */
const displaced: ReadonlySet<number> = new Set([DisconnectReason.DUPLICATE_IDENTITY]);

const wasAnswered = (callStatus: string): boolean => callStatus === 'active' || callStatus === 'automation';

/** The facts about a leg that is over, from the driver or from the database. */
export interface KnownLeg {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  /** Why this system ended it; null if it did not. */
  readonly endedBecause: EndReason | null;
  readonly disconnect: Disconnect | null;
  /** When a look at the room last found it; null: none has. */
  readonly seenAt: Date | null;
  /** When a look at the room first missed it. */
  readonly goneAt: Date;
}

export const knownFrom = (record: LegRecord, goneAt: Date): KnownLeg => ({
  ringingAt: record.ringingAt,
  answeredAt: record.answeredAt,
  endedBecause: record.hangUpReason,
  disconnect: record.disconnect,
  seenAt: null,
  goneAt,
});

const endReasons: ReadonlyMap<number, EndReason> = new Map([
  [DisconnectReason.CLIENT_INITIATED, 'callee_hung_up'],
  [DisconnectReason.CONNECTION_TIMEOUT, 'connection_lost'],
  [DisconnectReason.MEDIA_FAILURE, 'connection_lost'],
]);

/** Why an answered leg ended. */
export function reasonOf({ endedBecause, disconnect }: Pick<KnownLeg, 'endedBecause' | 'disconnect'>): EndReason {
  if (endedBecause !== null) return endedBecause;
  if (disconnect === null) return 'ended';
  if (disconnect.transferring) return 'transferred';
  if (removed.has(disconnect.disconnectReason)) return 'agent_hung_up';
  return endReasons.get(disconnect.disconnectReason) ?? 'ended';
}

/**
 * LiveKit gives the end of a leg to the second: if a look missed it within that second, the look's time is better. By a clock of
 * LiveKit that is behind, a leg would be over before it was last seen.
 */
const secondMs = 1_500;
function endedAt({ disconnect, goneAt, answeredAt, ringingAt, seenAt }: KnownLeg): Date {
  const at = disconnect !== null && goneAt.getTime() - disconnect.at.getTime() > secondMs ? disconnect.at : goneAt;
  return new Date(Math.max(at.getTime(), ...[answeredAt, ringingAt, seenAt].map((each) => each?.getTime() ?? 0)));
}

/**
 * How a leg ended whose SIP code is lost with the answer of its dial, as far as the database and LiveKit's webhook tell.
 *
 * @returns null if nothing is known of it: it may never have been placed
 */
export function endOfGone(known: KnownLeg): AttemptResult | null {
  const { disconnect, endedBecause } = known;
  const at = endedAt(known);
  const rang = known.ringingAt !== null || disconnect?.callStatus === 'ringing';
  // LiveKit SIP marks a call that was answered as `hangup` when it ends; one that was not keeps its last status.
  const answered =
    known.answeredAt !== null ||
    (disconnect !== null && (wasAnswered(disconnect.callStatus) || disconnect.callStatus === 'hangup'));
  if (answered) {
    return {
      how: 'ended',
      rang: true,
      at,
      reason: reasonOf(known),
      ...(known.answeredAt === null ? {} : { answeredAt: known.answeredAt }),
    };
  }
  if (disconnect === null && !rang) return null;
  if (endedBecause !== null || (disconnect !== null && removed.has(disconnect.disconnectReason))) {
    return { how: 'cancelled', rang, at, reason: endedBecause ?? 'cancelled' };
  }
  if (disconnect !== null && unavailable.has(disconnect.disconnectReason)) return { how: 'ring_timeout', rang, at };
  if (disconnect !== null && refused.has(disconnect.disconnectReason) && rang) return { how: 'declined', rang, at };
  if (disconnect !== null && displaced.has(disconnect.disconnectReason))
    return { how: 'unknown', rang, at, words: 'displaced' };
  return { how: 'refused', rang, at, reason: 'sip_code_lost' };
}
