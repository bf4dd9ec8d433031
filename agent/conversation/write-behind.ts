import type { Logger } from '../../platform/logger.js';

/** Stores in the database what grows in memory. */
export interface WriteBehind {
  /** There is more to store. Never waits, never throws. */
  changed(): void;
  /** Tries to store all there is so far. @returns whether it is stored */
  flush(): Promise<boolean>;
}

/**
 * Stores what has grown, one write at a time, each with everything so far: a slow database gets fewer and longer ones. What
 * could not be stored goes with the next change.
 *
 * @param store writes everything there is at this moment
 * @param what named in the log if it cannot be stored: "the transcript"
 */
export function writeBehind(store: () => Promise<void>, what: string, logger: Logger): WriteBehind {
  let [change, stored] = [0, 0];
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (stored < change) {
      const until = change;
      try {
        await store();
      } catch (error) {
        logger.warn({ err: error }, `${what} could not be stored`);
        return;
      }
      stored = until;
    }
  }
  const kick = (): Promise<void> =>
    (writing ??= write().finally(() => {
      writing = null;
    }));

  return {
    changed() {
      change += 1;
      void kick();
    },
    async flush() {
      await writing;
      await kick();
      return stored === change;
    },
  };
}
