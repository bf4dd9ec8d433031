import type { AttemptStatus, CallStatus, RecordStatus } from './call.js';

/** What is known of one attempt of a call. */
export interface TimelogAttempt {
  readonly number: number;
  /** null: not dialed, or put back in the queue before anything was sent. */
  readonly dialedAt: Date | null;
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  /** null until it has ended. */
  readonly outcome: AttemptStatus | null;
}

export interface TimelogCall {
  readonly type: 'outbound' | 'inbound';
  readonly createdAt: Date;
  readonly status: RecordStatus;
  readonly endedAt: Date | null;
  /** In order of their numbers. */
  readonly attempts: readonly TimelogAttempt[];
}

export interface TimelogEntry {
  readonly status: CallStatus;
  readonly at: Date;
}

/** The end of an attempt in the words of a call: what was answered is over. */
const endOfAttempt = (outcome: AttemptStatus): CallStatus => (outcome === 'answered' ? 'ended' : outcome);

/** Where an attempt is, or how it ended. */
export function attemptStatus({ outcome, answeredAt, ringingAt }: TimelogAttempt): CallStatus {
  if (outcome !== null) return endOfAttempt(outcome);
  if (answeredAt !== null) return 'answered';
  return ringingAt === null ? 'initiated' : 'ringing';
}

function entriesOf(attempt: TimelogAttempt): TimelogEntry[] {
  const { number, dialedAt, ringingAt, answeredAt, endedAt, outcome } = attempt;
  const entries: TimelogEntry[] = [];
  // The first attempt's dialing is the call's own beginning; each later one begins anew.
  if (number > 1 && dialedAt !== null) entries.push({ status: 'initiated', at: dialedAt });
  if (ringingAt !== null) entries.push({ status: 'ringing', at: ringingAt });
  if (answeredAt !== null) entries.push({ status: 'answered', at: answeredAt });
  if (outcome !== null && endedAt !== null) entries.push({ status: endOfAttempt(outcome), at: endedAt });
  return entries;
}

/**
 * Everything that a call has been, in order: derived from the times that its rows keep. The first entry is `initiated`
 * (`incoming` for an inbound call); a call that was given up before or between attempts ends `abandoned`.
 */
export function timelogOf(call: TimelogCall): TimelogEntry[] {
  const entries: TimelogEntry[] = [
    { status: call.type === 'inbound' ? 'incoming' : 'initiated', at: call.createdAt },
    ...call.attempts.flatMap(entriesOf),
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

/** A call's present status: that of its latest entry. */
export const callStatusOf = (call: TimelogCall): CallStatus => timelogOf(call).at(-1)?.status ?? 'initiated';
