import type { ClaimedAttempt } from '../db/queries/dialer/claim-attempts.js';
import { attemptText } from '../domain/call/attempt-key.js';

/** The claims of this process that are neither dialed nor given back: of each attempt one, the latest. */
export interface HeldClaims {
  /**
   * Holds these. An earlier claim of the same attempt is forgotten: it is void since the later one was made.
   *
   * @returns those that were not held yet
   */
  accept(attempts: readonly ClaimedAttempt[]): ClaimedAttempt[];
  has(attempt: ClaimedAttempt): boolean;
  /** @returns whether it was held */
  letGo(attempt: ClaimedAttempt): boolean;
  /** Holds an attempt again that was let go and not dialed, unless another claim of it has been accepted since. */
  takeBack(attempt: ClaimedAttempt): void;
  all(): ClaimedAttempt[];
  readonly size: number;
  /** Forgets all and holds nothing from now on. */
  drop(): void;
}

export function createHeldClaims(): HeldClaims {
  const held = new Map<string, ClaimedAttempt>();
  let dropped = false;
  const has = (attempt: ClaimedAttempt): boolean => held.get(attemptText(attempt))?.claimId === attempt.claimId;
  return {
    has,
    accept(attempts) {
      if (dropped) return [];
      const fresh = attempts.filter((attempt) => !has(attempt));
      for (const attempt of fresh) held.set(attemptText(attempt), attempt);
      return fresh;
    },
    letGo: (attempt) => has(attempt) && held.delete(attemptText(attempt)),
    takeBack(attempt) {
      if (!dropped && !held.has(attemptText(attempt))) held.set(attemptText(attempt), attempt);
    },
    all: () => [...held.values()],
    get size() {
      return held.size;
    },
    drop() {
      dropped = true;
      held.clear();
    },
  };
}
