import type { Logger } from '../platform/logger.js';
import type { WakeSignal } from './wake-signal.js';

/** Work that a dialer repeats while it runs. */
export interface Loop {
  /** For the log: the dialer “could not …”. */
  readonly does: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
  /** Starts the next round early. */
  readonly wake: WakeSignal;
}

/**
 * Runs each loop separately: a round, a wait, the next round. A round that fails is logged, and the next one comes at its
 * time.
 *
 * @param failed told what could not be done
 * @returns stops them: resolves when the rounds under way are over
 */
export function runLoops(loops: readonly Loop[], logger: Logger, failed: (does: string) => void): () => Promise<void> {
  const life = { running: true };
  const running = loops.map(async ({ does, everyMs, run, wake }) => {
    while (life.running) {
      await run().catch((error: unknown) => {
        failed(does);
        logger.warn({ err: error }, `the dialer could not ${does}; trying again`);
      });
      await wake.wait(everyMs);
    }
  });
  return async () => {
    life.running = false;
    for (const { wake } of loops) wake.ring();
    await Promise.all(running);
  };
}
