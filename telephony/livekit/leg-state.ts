import type { EndReason } from '../../domain/call/end-reasons.js';
import { legAttributes } from '../../domain/call/disconnect.js';
import type { AttemptResult } from '../provider.js';
import { endOfGone } from './disconnect.js';
import type { DialFailure } from './failure.js';
import type { LegTiming } from './leg-timing.js';
import type { LegRecord } from './records.js';

/** Why this process ends a leg, once it wants to. */
export interface Ending {
  readonly how: 'hung_up' | 'agent_missing';
  readonly reason: EndReason;
}

/** The state of a leg as the process that watches it knows it. */
export interface LegState {
  /** The request that sends the INVITE. `over`: answered with 200, or another process had sent it. */
  readonly dial: 'pending' | 'over' | { readonly failure: DialFailure } | { readonly error: unknown };
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  /** The callee's participant has been in the room. */
  readonly seen: boolean;
  /** When it was last found there. */
  readonly seenAt: Date | null;
  /** Since when it has been missing; null while it is there, and before the first look. */
  readonly goneAt: Date | null;
  readonly agentHere: boolean;
  readonly ending: Ending | null;
  /** LiveKit has confirmed that it removed the participant. */
  readonly removed: boolean;
}

export type LegEvent =
  | { readonly type: 'ringing'; readonly at: Date }
  | { readonly type: 'answered'; readonly at: Date }
  /** The dial request was answered with 200. */
  | { readonly type: 'dial_answered'; readonly at: Date }
  | { readonly type: 'dial_failed'; readonly failure: DialFailure }
  /** The dial request got no answer that says what became of the INVITE. */
  | { readonly type: 'dial_lost'; readonly error: unknown }
  /** A look at the room found the participant, with these attributes. */
  | { readonly type: 'found'; readonly attributes: Readonly<Record<string, string>>; readonly at: Date }
  /** A look at the room did not find it, or its LiveKit does not know it. */
  | { readonly type: 'missing'; readonly at: Date }
  | { readonly type: 'agent'; readonly here: boolean }
  /** A hang-up was requested, or the leg has to end for a reason of ours. */
  | { readonly type: 'ended_by_us'; readonly ending: Ending }
  | { readonly type: 'removed' };

/** @param dialedHere whether this process sends the INVITE, and not one before it */
export const newLeg = (dialedHere: boolean): LegState => ({
  dial: dialedHere ? 'pending' : 'over',
  ringingAt: null,
  answeredAt: null,
  seen: false,
  seenAt: null,
  goneAt: null,
  agentHere: false,
  ending: null,
  removed: false,
});

/**
 * What is known after an event. A leg never goes backwards: ringing after the answer, a second answer and a second reason
 * to end change nothing. LiveKit says `dialing` again of an answered call when it was restarted.
 */
export function nextLeg(state: LegState, event: LegEvent): LegState {
  switch (event.type) {
    case 'ringing':
      return state.ringingAt !== null || state.answeredAt !== null ? state : { ...state, ringingAt: event.at };
    case 'answered':
      return state.answeredAt !== null ? state : { ...state, answeredAt: event.at };
    case 'dial_answered':
      return nextLeg({ ...state, dial: 'over' }, { type: 'answered', at: event.at });
    case 'dial_failed':
      return { ...state, dial: { failure: event.failure } };
    case 'dial_lost':
      return { ...state, dial: { error: event.error } };
    case 'found':
      return nextLegFound(
        { ...state, seen: true, seenAt: event.at, goneAt: null },
        event.attributes[legAttributes.callStatus],
        event.at,
      );
    case 'missing':
      return { ...state, goneAt: state.goneAt ?? event.at };
    case 'agent':
      return { ...state, agentHere: event.here };
    case 'ended_by_us':
      return { ...state, ending: state.ending ?? event.ending };
    case 'removed':
      return { ...state, removed: true };
  }
}

function nextLegFound(state: LegState, callStatus: string | undefined, at: Date): LegState {
  if (callStatus === 'ringing') return nextLeg(state, { type: 'ringing', at });
  if (callStatus === 'active' || callStatus === 'automation') return nextLeg(state, { type: 'answered', at });
  return state;
}

/** The next step for a leg whose participant is in the room; `agent`: dispatch or watch the agent. */
export type LegNeed = 'removal' | 'end_of_time' | 'agent' | 'nothing';

/** @param maxCallMs how long the leg may last after the answer */
export function needOf(state: LegState, maxCallMs: number, nowMs: number): LegNeed {
  if (state.ending !== null) return 'removal';
  if (state.answeredAt !== null && nowMs - state.answeredAt.getTime() >= maxCallMs) return 'end_of_time';
  return state.ringingAt !== null || state.answeredAt !== null ? 'agent' : 'nothing';
}

type LookTiming = Pick<LegTiming, 'pollMs' | 'truthMs' | 'hurryMs'>;

/** @returns milliseconds until the next look at the leg */
export function untilNextLookMs(state: LegState, timing: LookTiming, maxCallMs: number, nowMs: number): number {
  if (state.ending !== null) return timing.hurryMs;
  if (state.answeredAt === null || state.goneAt !== null) return timing.pollMs;
  if (!state.agentHere) return timing.hurryMs;
  return Math.max(0, Math.min(timing.truthMs, state.answeredAt.getTime() + maxCallMs - nowMs));
}

/** Whether the failure of a dial is this process's own hang-up. */
export const isOurEnd = (state: LegState, failure: DialFailure): boolean =>
  state.ending !== null && (['ring_timeout', 'cancelled'].includes(failure.how) || failure.sipStatusCode === 487);

/** Codes whose meaning depends on whether the phone rang. */
const codesOfSilence: readonly (number | undefined)[] = [408, 480, 487, 504];

/** Whether it has to be asked if the phone rang, before a failed dial can be judged. */
export function mustKnowIfRang(state: LegState, failure: DialFailure): boolean {
  if (state.ringingAt !== null || isOurEnd(state, failure)) return false;
  return failure.how === 'refused' ? codesOfSilence.includes(failure.sipStatusCode) : failure.how === 'ring_timeout';
}

/** @param ours {@link isOurEnd}, when the failure came */
export function resultOfDial(state: LegState, failure: DialFailure, ours: boolean, at: Date): AttemptResult {
  const rang = state.ringingAt !== null;
  return ours ? { how: 'cancelled', rang, at, reason: state.ending?.reason ?? 'cancelled' } : { ...failure, rang, at };
}

/**
 * How a leg ended whose participant is gone for good.
 *
 * @returns null if LiveKit never had such a leg: whether its INVITE was placed is unknown
 */
export function resultOfGone(state: LegState, record: LegRecord, goneAt: Date): AttemptResult | null {
  const { ringingAt, answeredAt, seenAt, ending } = state;
  const endedBecause = ending?.reason ?? record.hangUpReason;
  const end = endOfGone({ ringingAt, answeredAt, endedBecause, disconnect: record.disconnect, seenAt, goneAt });
  if (end === null) return state.seen ? { how: 'refused', rang: false, at: goneAt, reason: 'sip_code_lost' } : null;
  if (end.how !== 'ended') return end;
  return { ...end, how: ending?.how === 'agent_missing' ? 'agent_missing' : 'ended', answeredBy: 'unknown' };
}
