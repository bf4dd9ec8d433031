import type { LiveKitClient } from './client.js';

/**
 * LiveKit keeps its list of participants in redis, where it survives LiveKit itself: after a crash the list names, for ever,
 * legs that ended with it. Whoever is named is therefore asked for by its LiveKit now and again.
 */
export interface Presence {
  /** Whether a participant that the list names is really there. Asks only where the last answer is old, or was no. */
  isReal(): Promise<boolean>;
}

/**
 * @param trustedMs for how long from now on it is known to be there
 * @param trustMs how long an answer holds
 */
export function createPresence(
  client: Pick<LiveKitClient, 'serves'>,
  room: string,
  identity: string,
  trustedMs: number,
  trustMs: number,
): Presence {
  let trustedUntilMs = Date.now() + trustedMs;
  return {
    async isReal() {
      if (Date.now() < trustedUntilMs) return true;
      if (!(await client.serves(room, identity))) return false;
      trustedUntilMs = Date.now() + trustMs;
      return true;
    },
  };
}
