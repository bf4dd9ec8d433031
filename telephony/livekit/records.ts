import type { EndReason } from '../../domain/call/end-reasons.js';
import type { Disconnect } from '../../domain/call/disconnect.js';
import type { AttemptRef, DialOrder } from '../provider.js';

/** The facts about a leg that are stored outside of this process. */
export interface LegRecord {
  readonly ringingAt: Date | null;
  readonly answeredAt: Date | null;
  /** The reason given with a request to hang it up; null without one. */
  readonly hangUpReason: EndReason | null;
  /** How LiveKit's webhook says that the callee's participant left; null if none came. */
  readonly disconnect: Disconnect | null;
}

/** What the driver must not lose by a restart. The composition root connects it to the database. */
export interface LegRecords {
  /** Everything is null if nothing is stored. */
  of(ref: AttemptRef): Promise<LegRecord>;
  /**
   * Calls `wake` whenever something may have happened in the room. Not relied on: what is missed is found by polling.
   * @returns stops it
   */
  onRoomEvent(room: string, wake: () => void): () => void;
}

/** The agent workers. A slot is one call that a worker can take. */
export interface AgentSlots {
  /**
   * Resolves if an agent worker of the region has a slot for this call. The slot is the call's while it is claimed, dialing,
   * ringing or answered: nothing must be returned. Rejects with a message for the log if there is none.
   */
  reserve(order: DialOrder, region: string): Promise<void>;
}
