import type { AnsweredBy } from '../../domain/call/call.js';
import type { LedgerLine } from './ledger.js';
import type { Ending } from './timeline.js';
import type { LegLine, LegOrder, LegRef } from './wire.js';

/**
 * How far a simulated leg has come:
 *
 * ```
 * invited ──▶ ringing ──▶ answered ──▶ over
 *    └───────────┴────────────────────▶ over
 * ```
 *
 * Ringing may be omitted. A leg is over once: what comes later changes nothing.
 */
export interface LegCourse {
  readonly rang: boolean;
  readonly answered: { readonly at: string; readonly by: AnsweredBy } | null;
  readonly over: boolean;
}

/** A step of its script, or an end that comes from outside: a hang-up, a transfer. */
export type LegEvent =
  | { readonly type: 'ringing' }
  | { readonly type: 'answered'; readonly answeredBy: AnsweredBy }
  | { readonly type: 'over'; readonly ending: Ending };

export const invited: LegCourse = { rang: false, answered: null, over: false };

/** @param at ISO instant of the event */
export function nextCourse(course: LegCourse, event: LegEvent, at: string): LegCourse {
  if (course.over) return course;
  switch (event.type) {
    case 'ringing':
      return { ...course, rang: true };
    case 'answered':
      return { ...course, answered: { at, by: event.answeredBy } };
    case 'over':
      return { ...course, over: true };
  }
}

/** How a leg ends that is hung up now. */
export const endOfHangUp = ({ answered }: LegCourse, reason: string): Ending =>
  answered === null ? { how: 'cancelled', reason, sipStatusCode: 487 } : { how: 'ended', reason, sipStatusCode: 200 };

/** A line of the ledger about an INVITE. */
export const lineOf = (
  order: LegRef | LegOrder,
  event: LedgerLine['event'],
  at = new Date().toISOString(),
): LedgerLine => ({
  at,
  event,
  ...('to' in order && { to: order.to, from: order.from }),
  ...('disclosure' in order && { disclosure: order.disclosure }),
  room: order.room,
  callId: order.callId,
  attempt: order.attempt,
  invite: order.invite,
  gatewayId: order.gatewayId,
  simulated: true,
});

/**
 * The line of the ledger about an event.
 *
 * @param course as it was before the event
 * @param endedFor why the trunk or the script ended it, if the ledger should say so instead of the ending's own reason
 */
export function eventLine(
  order: LegOrder,
  course: LegCourse,
  event: LegEvent,
  at: string,
  endedFor: string | undefined,
): LedgerLine {
  switch (event.type) {
    case 'ringing':
      return { ...lineOf(order, 'ringing', at), sipStatusCode: 180 };
    case 'answered':
      return { ...lineOf(order, 'answered', at), sipStatusCode: 200, answeredBy: event.answeredBy };
    case 'over': {
      const { ending } = event;
      const reason = endedFor ?? ending.reason;
      const rejected = ending.how === 'refused' || ending.how === 'gateway_fault';
      return {
        ...lineOf(order, rejected ? 'rejected' : 'ended', at),
        ...ending,
        rang: course.rang,
        ...(reason !== undefined && { reason }),
        ...(course.answered && { answeredAt: course.answered.at, answeredBy: course.answered.by }),
      };
    }
  }
}

/** What listeners get about a leg that goes on. */
export const toldOf = (event: Exclude<LegEvent, { type: 'over' }>, at: string): LegLine =>
  event.type === 'ringing' ? { type: 'ringing', at } : { type: 'answered', at, answeredBy: event.answeredBy };

/** A second INVITE for one reference would ring a real callee twice: it is refused, and written down as a violation. */
export const repeatedLine = (order: LegOrder): LedgerLine => ({
  ...lineOf(order, 'rejected'),
  how: 'refused',
  rang: false,
  reason: 'repeated',
  sipStatusCode: 482,
  sipPhrase: 'Request Merged',
});

/** A dial of an INVITE that was promised never to be placed. */
export const fencedLine = (order: LegOrder): LedgerLine => ({
  ...lineOf(order, 'refused'),
  reason: 'fenced',
  how: 'not_sent',
  rang: false,
});
