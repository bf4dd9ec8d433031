import type { AnsweredBy } from '../../domain/call/call.js';
import type { Behaviour } from './behaviour.js';

/** The end of a leg, without times and transcript, which are known only then. */
export interface Ending {
  readonly how: 'ended' | 'refused' | 'ring_timeout' | 'no_response' | 'gateway_fault' | 'agent_missing' | 'cancelled';
  readonly sipStatusCode?: number;
  readonly sipPhrase?: string;
  readonly reason?: string;
  /** The callee has asked to be called again so long after it. */
  readonly callbackAfterSeconds?: number;
  /** What the callee said to what they were asked. */
  readonly agrees?: boolean;
}

/** A step of a leg, in simulated seconds after the INVITE. Steps are in order; the last is `over`. */
export type Step =
  | { readonly afterSeconds: number; readonly type: 'ringing' }
  | { readonly afterSeconds: number; readonly type: 'answered'; readonly answeredBy: AnsweredBy }
  | { readonly afterSeconds: number; readonly type: 'over'; readonly ending: Ending };

export interface Bounds {
  readonly ringTimeoutSeconds: number;
  readonly maxCallSeconds: number;
}

/** RFC 3261, 17.1.1.2: timer B, 64 × T1, after which an INVITE without any response has failed. */
const transactionTimeoutSeconds = 32;
/** Grace for an agent to take part after the answer, before the callee is let go. */
const agentGraceSeconds = 2;

const ringingAt = (seconds: number | null, before: number): Step[] =>
  seconds !== null && seconds <= before ? [{ afterSeconds: seconds, type: 'ringing' }] : [];

const ringTimeout = ({ ringTimeoutSeconds }: Bounds): Step => ({
  afterSeconds: ringTimeoutSeconds,
  type: 'over',
  ending: { how: 'ring_timeout', reason: 'ring_timeout', sipStatusCode: 487 },
});

/** The course of a leg, with the order's own limits applied to what the far end would do. */
export function timelineOf(behaviour: Behaviour, bounds: Bounds): readonly Step[] {
  const timeout = bounds.ringTimeoutSeconds;
  switch (behaviour.kind) {
    case 'gateway_fault':
      return [
        {
          afterSeconds: 0,
          type: 'over',
          ending: { how: 'gateway_fault', sipPhrase: behaviour.words, reason: 'gateway_fault' },
        },
      ];
    case 'silence': {
      const afterSeconds = Math.min(transactionTimeoutSeconds, timeout);
      return [{ afterSeconds, type: 'over', ending: { how: 'no_response', reason: 'no_response' } }];
    }
    case 'ring_out':
      return [...ringingAt(behaviour.ringAfterSeconds, timeout), ringTimeout(bounds)];
    case 'refuse': {
      const { ringAfterSeconds, refuseAfterSeconds, sipStatusCode, sipPhrase } = behaviour;
      if (refuseAfterSeconds >= timeout) return [...ringingAt(ringAfterSeconds, timeout), ringTimeout(bounds)];
      return [
        ...ringingAt(ringAfterSeconds, refuseAfterSeconds),
        { afterSeconds: refuseAfterSeconds, type: 'over', ending: { how: 'refused', sipStatusCode, sipPhrase } },
      ];
    }
    case 'answer':
    case 'announcement':
    case 'agent_missing':
      return answered(behaviour, bounds);
  }
}

type Answering = Extract<Behaviour, { kind: 'answer' | 'announcement' | 'agent_missing' }>;

const reasonOf = (behaviour: Answering): string =>
  behaviour.kind === 'answer' ? `${behaviour.endedBy}_hung_up` : behaviour.kind;

function answeredByOf(behaviour: Answering): AnsweredBy {
  if (behaviour.kind === 'answer') return behaviour.answeredBy;
  return behaviour.kind === 'announcement' ? 'machine' : 'unknown';
}

function answered(behaviour: Answering, bounds: Bounds): readonly Step[] {
  const { ringAfterSeconds, answerAfterSeconds } = behaviour;
  if (answerAfterSeconds >= bounds.ringTimeoutSeconds) {
    return [...ringingAt(ringAfterSeconds, bounds.ringTimeoutSeconds), ringTimeout(bounds)];
  }
  const missing = behaviour.kind === 'agent_missing';
  const wanted = missing ? agentGraceSeconds : behaviour.talkSeconds;
  const talkSeconds = Math.min(wanted, bounds.maxCallSeconds);
  const reason = wanted > talkSeconds && !missing ? 'max_duration' : reasonOf(behaviour);
  const { callbackAfterSeconds, agrees } = behaviour.kind === 'answer' ? behaviour : {};
  return [
    ...ringingAt(ringAfterSeconds, answerAfterSeconds),
    { afterSeconds: answerAfterSeconds, type: 'answered', answeredBy: answeredByOf(behaviour) },
    {
      afterSeconds: answerAfterSeconds + talkSeconds,
      type: 'over',
      ending: {
        how: missing ? 'agent_missing' : 'ended',
        reason,
        sipStatusCode: 200,
        ...(callbackAfterSeconds === undefined ? {} : { callbackAfterSeconds }),
        ...(agrees === undefined ? {} : { agrees }),
      },
    },
  ];
}
