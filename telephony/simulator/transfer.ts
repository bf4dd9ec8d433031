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
