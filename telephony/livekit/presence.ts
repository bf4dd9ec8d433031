import type { LiveKitClient } from './client.js';

/**
 * LiveKit keeps its list of participants in redis, so the list survives LiveKit: after a crash it names legs for ever that ended
 * with the crash. Therefore the LiveKit that should have a named participant is asked for it now and again.
 */
export interface Presence {
  /** @returns whether a listed participant is really there. Asks LiveKit only if the last answer is old or was no */
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
