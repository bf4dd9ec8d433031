import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/**
 * One timer for many due times. It is replaced only when something falls due before it. If what it was set for is gone, it
 * fires once for nothing. A timer per wait would double the history of a workflow that gets many signals.
 */
export interface DueTimer {
  /** @param at milliseconds since the epoch; null: nothing to wait for */
  set(at: number | null): void;
  /** Whether it fired since it was last set. */
  readonly fired: () => boolean;
}

/** @param summary what the timer is for, as Temporal's UI shows it */
export function createDueTimer(summary: string): DueTimer {
  let firesAt = Infinity;
  let scope: CancellationScope | undefined;
  let fired = false;

  return {
    set(at) {
      fired = false;
      if (at === null || at >= firesAt) return;
      scope?.cancel();
      const mine = new CancellationScope();
      scope = mine;
      firesAt = at;
      mine
        .run(() => sleep(Math.max(1, at - Date.now()), { summary }))
        .then(
          () => {
            firesAt = Infinity;
            fired = true;
          },
          (error: unknown) => {
            if (!isCancellation(error)) throw error;
          },
        );
    },
    fired: () => fired,
  };
}
