import { within } from '../../platform/within.js';

/** Prometheus waits for ten seconds for all metrics of a process. */
const withinMs = 8_000;

/**
 * Asks for what metrics tell, once for all who want it at the same time, also if the answer takes until they are read again.
 *
 * @param limitMs longest wait of each
 * @returns asks; undefined if there is no answer in time, or none at all
 */
export function sharedAnswer<T>(ask: () => Promise<T>, limitMs = withinMs): () => Promise<T | undefined> {
  let asked: Promise<T | undefined> | null = null;
  return () => {
    asked ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asked = null;
      });
    return within(limitMs, asked).catch(() => undefined);
  };
}
