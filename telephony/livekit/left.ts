import { DisconnectReason } from '@livekit/protocol';
import type { EndReason } from '../../domain/call/end-reasons.js';
import type { LegHint } from '../../domain/call/leg-hint.js';
import type { AttemptResult } from '../provider.js';
import type { LegRecord } from './records.js';

/** Reasons of leaving after which LiveKit may have the participant back: the leg itself goes on. */
const mayComeBack: ReadonlySet<number> = new Set([
  DisconnectReason.SERVER_SHUTDOWN,
  DisconnectReason.STATE_MISMATCH,
  DisconnectReason.MIGRATION,
  DisconnectReason.SIGNAL_CLOSE,
]);

/** Whether a participant that is gone and left like this will not be seen again. */
export const isFinal = (hint: LegHint | null): hint is LegHint =>
  hint !== null && !mayComeBack.has(hint.disconnectReason);

const removed: ReadonlySet<number> = new Set([
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.ROOM_DELETED,
  DisconnectReason.ROOM_CLOSED,
]);

const unavailable: ReadonlySet<number> = new Set([DisconnectReason.USER_UNAVAILABLE]);
const refused: ReadonlySet<number> = new Set([DisconnectReason.USER_REJECTED]);
/** Somebody dialed into the same room under the same identity. */
const displaced: ReadonlySet<number> = new Set([DisconnectReason.DUPLICATE_IDENTITY]);

const wasAnswered = (callStatus: string): boolean => callStatus === 'active' || callStatus === 'automation';

/** What is known of a leg that is over, from whatever source. */
export interface KnownLeg {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  /** Why this system ended it, where it did. */
  readonly endedBecause: EndReason | null;
  readonly left: LegHint | null;
  /** When it was found gone, for lack of a better time. */
  readonly goneAt: Date;
}

export const knownFrom = (record: LegRecord, goneAt: Date): KnownLeg => ({
  ...{ ringingAt: record.ringingAt, answeredAt: record.answeredAt },
  ...{ endedBecause: record.hangUpReason, left: record.left, goneAt },
});

const endWords: ReadonlyMap<number, EndReason> = new Map([
  [DisconnectReason.CLIENT_INITIATED, 'callee_hung_up'],
  [DisconnectReason.CONNECTION_TIMEOUT, 'connection_lost'],
  [DisconnectReason.MEDIA_FAILURE, 'connection_lost'],
]);

/** Why an answered leg ended, in words for a person. */
export function reasonOf({ endedBecause, left }: Pick<KnownLeg, 'endedBecause' | 'left'>): EndReason {
  if (endedBecause !== null) return endedBecause;
  if (left === null) return 'ended';
  if (left.transferring) return 'transferred';
  if (removed.has(left.disconnectReason)) return 'agent_hung_up';
  return endWords.get(left.disconnectReason) ?? 'ended';
}

/** LiveKit tells of the end of a leg to the second: where it was found gone by then, that is the better time. */
const secondMs = 1_500;
function endedAt({ left, goneAt, answeredAt, ringingAt }: KnownLeg): Date {
  const at = left !== null && goneAt.getTime() - left.at.getTime() > secondMs ? left.at : goneAt;
  const earliest = answeredAt ?? ringingAt;
  return earliest !== null && at < earliest ? earliest : at;
}

/**
 * How a leg ended whose dial's answer, and with it the SIP code, is lost: from what was stored and LiveKit's last words.
 * @returns null where nothing at all is known of it: it may never have been placed
 */
export function endOfGone(known: KnownLeg): AttemptResult | null {
  const { left, endedBecause } = known;
  const at = endedAt(known);
  const rang = known.ringingAt !== null || left?.callStatus === 'ringing';
  // LiveKit SIP marks a call that was answered as `hangup` when it ends; one that was not keeps its last status.
  const answered =
    known.answeredAt !== null || (left !== null && (wasAnswered(left.callStatus) || left.callStatus === 'hangup'));
  if (answered) {
    return {
      ...{ how: 'ended', rang: true, at, reason: reasonOf(known) },
      ...(known.answeredAt === null ? {} : { answeredAt: known.answeredAt }),
    };
  }
  if (left === null && !rang) return null;
  if (endedBecause !== null || (left !== null && removed.has(left.disconnectReason))) {
    return { how: 'cancelled', rang, at, reason: endedBecause ?? 'cancelled' };
  }
  if (left !== null && unavailable.has(left.disconnectReason)) return { how: 'ring_timeout', rang, at };
  if (left !== null && refused.has(left.disconnectReason) && rang) return { how: 'declined', rang, at };
  if (left !== null && displaced.has(left.disconnectReason)) return { how: 'unknown', rang, at, words: 'displaced' };
  return { how: 'refused', rang, at, reason: 'sip_code_lost' };
}
