import type { EndReason } from '../../domain/call/end-reasons.js';
import type { LegHint } from '../../domain/call/leg-hint.js';
import type { AttemptRef, DialOrder } from '../provider.js';

/** What is stored of a leg outside this process. */
export interface LegRecord {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  /** Why somebody wanted it hung up, where somebody did. */
  readonly hangUpReason: EndReason | null;
  /** What LiveKit's webhook told when the callee's participant had left. */
  readonly left: LegHint | null;
}

/** Where the driver looks up what a restart must not lose; the composition root connects it to the database. */
export interface LegRecords {
  /** Everything null where nothing is stored. */
  of(ref: AttemptRef): Promise<LegRecord>;
  /**
   * Calls `wake` whenever something may have happened in the room. Not relied on: what is missed is found by polling.
   * @returns stops it
   */
  onNews(room: string, wake: () => void): () => void;
}

/** Who knows the agent workers. A slot is one call that a worker can take. */
export interface AgentSlots {
  /**
   * Resolves where an agent worker of the region has a slot for this call, which is the call's while it is claimed, dialing,
   * ringing or answered: nothing has to be given back. Rejects with words for the log where there is none.
   */
  reserve(order: DialOrder, region: string): Promise<void>;
}
