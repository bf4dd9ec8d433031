import { CommandFailed, exitCodes } from './exit-codes.js';

/** How long the service may be away before waiting gives up. */
const patienceMs = 300_000;

interface WaitedFor {
  /** What goes on by itself meanwhile, such as `the call`. */
  readonly what: string;
  /** Told once each time that the service stops answering. */
  readonly told?: (words: string) => void;
  /** Whether the service has just answered; otherwise it has to once, because it may not be there at all. */
  readonly hasAnswered: boolean;
}

/**
 * Makes a way of asking, again and again, about something that goes on by itself while the service is away, such as for an upgrade.
 *
 * @returns asks; gives undefined if the service does not answer and may still come back
 */
export function whileAway({
  what,
  told = (words) => console.error(words),
  hasAnswered,
}: WaitedFor): <T>(ask: () => Promise<T>) => Promise<T | undefined> {
  let answeredAt = hasAnswered ? performance.now() : -Infinity;
  let isAway = false;
  return async (ask) => {
    try {
      const answer = await ask();
      answeredAt = performance.now();
      isAway = false;
      return answer;
    } catch (error) {
      if (!(error instanceof CommandFailed) || error.exitCode !== exitCodes.unavailable) throw error;
      if (performance.now() - answeredAt >= patienceMs) throw error;
      if (!isAway) told(`${error.message} Waiting for it, up to ${patienceMs / 60_000} minutes; ${what} goes on.`);
      isAway = true;
      return undefined;
    }
  };
}
