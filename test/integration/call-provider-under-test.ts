import type { AttemptRef, AttemptResult, CallEvent, CallProvider, DialOrder } from '../../telephony/provider.js';

/** What a callee does when the conformance suite dials it. Those that last do so for longer than any test. */
export type Callee =
  | 'answers and talks a little'
  | 'answers and talks for long'
  | 'rings for long'
  | 'is tried for long'
  | 'is busy'
  | 'declines'
  | 'cannot be found'
  | 'is unavailable and never rings'
  | 'rings out'
  | 'never responds';

/** A driver with a carrier behind it, as the suite needs them. */
export interface ProviderUnderTest {
  /** A driver of its own, as a dialer that has just started has it. */
  connect(): CallProvider;
  /** An order for a callee that behaves so, with a reference never used before. */
  order(callee: Callee): DialOrder;
  /** A target of a transfer that takes the call at once or is busy. */
  transferTarget(does: 'takes the call' | 'is busy'): string;
  /** REFERs that the carrier got for this leg, by the carrier's own record. */
  refersOf(ref: AttemptRef): Promise<number>;
  /** INVITEs that the carrier got under this reference, by the carrier's own record. */
  invitesOf(ref: AttemptRef): Promise<number>;
  /** Dials from a process of its own and resolves once that was told `until`. `kill` is kill -9. */
  dialElsewhere(order: DialOrder, until: CallEvent['type']): Promise<{ kill(): Promise<void> }>;
  /** The provider goes away without a word, and comes back. */
  killProvider(): Promise<void>;
  restartProvider(): Promise<void>;
  /** Whether reconcile can promise that a reference will never be placed. */
  readonly fences: boolean;
  /** Whether it can ask a gateway by SIP OPTIONS. */
  readonly checksGateways: boolean;
  /** Whether the provider itself still knows every detail of a leg that is over; else how it ended must be enough. */
  readonly remembersEnds: boolean;
}

export interface Dialed {
  readonly events: CallEvent['type'][];
  readonly result: Promise<AttemptResult>;
  /** Resolves when the event is told; rejects when the leg is over without. */
  until(type: CallEvent['type']): Promise<void>;
}

/** Dials, and keeps what is told of the leg. */
export function watch(start: (on: (event: CallEvent) => void) => Promise<AttemptResult>): Dialed {
  const events: CallEvent['type'][] = [];
  const waiting = new Set<() => void>();
  const result = start(({ type }) => {
    events.push(type);
    for (const look of waiting) look();
  });
  return {
    ...{ events, result },
    until: (type) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (events.includes(type)) resolve();
        };
        waiting.add(look);
        look();
        result.then(({ how }) => reject(new Error(`${how} before it was ${type}`)), reject);
      }),
  };
}
