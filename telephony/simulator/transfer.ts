import { behaviourOf, type Scenario } from './behaviour.js';

/** The result of a REFER, this many simulated seconds after it. */
export interface TransferCourse {
  readonly afterSeconds: number;
  readonly transferred: boolean;
  readonly sipStatusCode: number;
  readonly message: string;
}

/** How long a transfer target may ring. */
const ringSeconds = 30;

/** Decides by the transfer target's number, as for a callee: …0 takes the call, …1 is busy (table in docs/simulator.md). */
export function transferCourse(transferTo: string, seed: number, scenario: Scenario): TransferCourse {
  const to = /^(?:sips?|tel):([^@;]*)/.exec(transferTo)?.[1] ?? transferTo;
  const behaviour = behaviourOf({ to, attempt: 1, unavailableBefore: false }, seed, scenario);
  switch (behaviour.kind) {
    case 'answer':
    case 'announcement':
    case 'agent_missing':
      if (behaviour.answerAfterSeconds > ringSeconds) return rungOut;
      return { ...taken, afterSeconds: behaviour.answerAfterSeconds };
    case 'refuse': {
      const { refuseAfterSeconds: afterSeconds, sipStatusCode, sipPhrase } = behaviour;
      return { afterSeconds, transferred: false, sipStatusCode, message: sipPhrase };
    }
    case 'gateway_fault':
      return { afterSeconds: 0, transferred: false, sipStatusCode: 503, message: behaviour.words };
    case 'ring_out':
    case 'silence':
      return rungOut;
  }
}

const taken = { transferred: true, sipStatusCode: 200, message: 'the transfer target took the call' } as const;

const rungOut: TransferCourse = {
  afterSeconds: ringSeconds,
  transferred: false,
  sipStatusCode: 408,
  message: 'the transfer target did not answer',
};

/** What the target of a warm transfer does, in simulated seconds. */
export interface TargetCourse {
  /** Until it picks up, or it is known that it does not. */
  readonly afterSeconds: number;
  /** How long it then speaks with the agent; null: it did not pick up. */
  readonly talkSeconds: number | null;
  readonly answeredBy: 'human' | 'machine' | 'unknown';
  readonly answer: { readonly transferred: boolean; readonly sipStatusCode?: number; readonly message: string };
}

/** So long the agent speaks of the call before the target says whether it takes it. */
const summarySeconds = 6;

/** Decides by the target's number, as for a callee: …0 takes the call, …90 does not want it (table in docs/simulator.md). */
export function targetCourse(
  transferTo: string,
  ringTimeoutSeconds: number,
  seed: number,
  scenario: Scenario,
): TargetCourse {
  const to = transferTo.replace(/^tel:/, '');
  const behaviour = behaviourOf({ to, attempt: 1, unavailableBefore: false }, seed, scenario);
  const unanswered = (afterSeconds: number, answer: TargetCourse['answer']): TargetCourse => ({
    afterSeconds,
    talkSeconds: null,
    answeredBy: 'unknown',
    answer,
  });
  const { transferred, sipStatusCode, message } = rungOut;
  const noAnswer = unanswered(ringTimeoutSeconds, { transferred, sipStatusCode, message });
  switch (behaviour.kind) {
    case 'answer': {
      const { answerAfterSeconds, answeredBy, talkSeconds, agrees } = behaviour;
      if (answerAfterSeconds > ringTimeoutSeconds) return noAnswer;
      const spoken = (seconds: number, failure: string | null): TargetCourse => ({
        afterSeconds: answerAfterSeconds,
        talkSeconds: seconds,
        answeredBy,
        answer: failure === null ? taken : { transferred: false, message: failure },
      });
      if (answeredBy === 'machine') return spoken(summarySeconds, 'a mailbox answered');
      if (agrees === false) return spoken(summarySeconds, 'the transfer target declined the call');
      if (talkSeconds > 0 && talkSeconds < 1) return spoken(talkSeconds, 'the transfer target hung up');
      return spoken(summarySeconds, null);
    }
    case 'announcement':
      return {
        afterSeconds: behaviour.answerAfterSeconds,
        talkSeconds: summarySeconds,
        answeredBy: 'machine',
        answer: { transferred: false, message: 'an announcement answered' },
      };
    case 'agent_missing':
      return unanswered(behaviour.answerAfterSeconds, {
        transferred: false,
        message: 'no agent spoke with the target',
      });
    case 'refuse':
      return unanswered(behaviour.refuseAfterSeconds, {
        transferred: false,
        sipStatusCode: behaviour.sipStatusCode,
        message: behaviour.sipPhrase,
      });
    case 'gateway_fault':
      return unanswered(0, { transferred: false, sipStatusCode: 503, message: behaviour.words });
    case 'ring_out':
    case 'silence':
      return noAnswer;
  }
}
