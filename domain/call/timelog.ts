import { callStatuses, type AttemptStatus, type CallStatus, type RecordStatus, type TimelogStatus } from './call.js';

/** What is known of one attempt of a call. */
export interface TimelogAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** null: not dialed, or put back in the queue before anything was sent. */
  readonly dialedAt: Date | null;
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** null until it has ended. */
  readonly outcome: AttemptStatus | null;
}

/** A transfer that was asked for. */
export interface TimelogTransfer {
  /** Attempt whose leg it is about. */
  readonly attempt: number;
  readonly requestedAt: Date;
  /** null until it is known how it went. */
  readonly endedAt: Date | null;
  readonly transferred: boolean;
}

export interface TimelogCall {
  readonly type: 'outbound' | 'inbound';
  readonly createdAt: Date;
  readonly status: RecordStatus;
  readonly endedAt: Date | null;
  /** In order of their numbers. */
  readonly attempts: readonly TimelogAttempt[];
  /** In the order in which they were asked for. */
  readonly transfers?: readonly TimelogTransfer[];
}

export interface TimelogEntry {
  readonly status: TimelogStatus;
  readonly at: Date;
}

/** The end of an attempt in the words of a call: what was answered is over. */
const endOfAttempt = (outcome: AttemptStatus): CallStatus => (outcome === 'answered' ? 'ended' : outcome);

/** Where an attempt is, or how it ended; one that came in was never `initiated`. */
export function attemptStatus(
  { outcome, answeredAt, ringingAt }: TimelogAttempt,
  type: TimelogCall['type'] = 'outbound',
): CallStatus {
  if (outcome !== null) return endOfAttempt(outcome);
  if (answeredAt !== null) return 'answered';
  if (ringingAt !== null) return 'ringing';
  return type === 'inbound' ? 'incoming' : 'initiated';
}

function transferEntries({ requestedAt, endedAt, transferred }: TimelogTransfer): TimelogEntry[] {
  const asked: TimelogEntry = { status: 'transfer-initiated', at: requestedAt };
  return endedAt === null ? [asked] : [asked, { status: transferred ? 'transferred' : 'transfer-failed', at: endedAt }];
}

function entriesOf(
  { attempt, dialedAt, ringingAt, answeredAt, endedAt, outcome }: TimelogAttempt,
  transfers: readonly TimelogTransfer[],
): TimelogEntry[] {
  const entries: TimelogEntry[] = [];
  // The first attempt's dialing is the call's own beginning; each later one has its own beginning.
  if (attempt > 1 && dialedAt !== null) entries.push({ status: 'initiated', at: dialedAt });
  if (ringingAt !== null) entries.push({ status: 'ringing', at: ringingAt });
  if (answeredAt !== null) entries.push({ status: 'answered', at: answeredAt });
  entries.push(...transfers.flatMap(transferEntries));
  if (outcome !== null && endedAt !== null) entries.push({ status: endOfAttempt(outcome), at: endedAt });
  return entries;
}

/**
 * Everything that a call has been, in order: derived from the times that its rows keep. The first entry is `initiated`
 * (`incoming` for an inbound call); a call that was given up before or between attempts ends `abandoned`. A transfer is
 * told before the end of its leg, which it causes.
 */
export function timelogOf(call: TimelogCall): TimelogEntry[] {
  const entries: TimelogEntry[] = [
    { status: call.type === 'inbound' ? 'incoming' : 'initiated', at: call.createdAt },
    ...call.attempts.flatMap((attempt) =>
      entriesOf(
        attempt,
        (call.transfers ?? []).filter((transfer) => transfer.attempt === attempt.attempt),
      ),
    ),
  ];
  const latestAttempt = call.attempts.at(-1);
  const endsWithAttempt = latestAttempt !== undefined && latestAttempt.outcome !== null;
  if (call.endedAt !== null) {
    if (call.status === 'cancelled') entries.push({ status: 'abandoned', at: call.endedAt });
    else if (call.status === 'failed' && !endsWithAttempt) entries.push({ status: 'failed', at: call.endedAt });
  }
  // Clocks of provider and database differ by milliseconds: time never runs backwards for the reader.
  let latest = call.createdAt;
  return entries.map(({ status, at }) => {
    if (at > latest) latest = at;
    return { status, at: latest };
  });
}

const isCallStatus = (status: TimelogStatus): status is CallStatus =>
  callStatuses.some((callStatus) => callStatus === status);

/** A call's present status: that of its latest entry which is not about a transfer. */
export const callStatusOf = (call: TimelogCall): CallStatus =>
  timelogOf(call)
    .map(({ status }) => status)
    .findLast(isCallStatus) ?? 'initiated';
