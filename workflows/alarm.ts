import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/**
 * One timer for many due times. It is replaced only when something falls due before it; where what it was set for has
 * gone, it rings in vain once. A timer per wait would double the history of a workflow that hears a lot of signals.
 */
export interface Alarm {
  /** @param at milliseconds since the epoch; null: nothing to wait for */
  set(at: number | null): void;
  /** Whether it rang since it was last set. */
  readonly rang: () => boolean;
}

/** @param summary what the timer is for, as Temporal's UI shows it */
export function createAlarm(summary: string): Alarm {
  let ringsAt = Infinity;
  let scope: CancellationScope | undefined;
  let rang = false;

  return {
    set(at) {
      rang = false;
      if (at === null || at >= ringsAt) return;
      scope?.cancel();
      const mine = new CancellationScope();
      scope = mine;
      ringsAt = at;
      mine
        .run(() => sleep(Math.max(1, at - Date.now()), { summary }))
        .then(
          () => {
            ringsAt = Infinity;
            rang = true;
          },
          (error: unknown) => {
            if (!isCancellation(error)) throw error;
          },
        );
    },
    rang: () => rang,
  };
}
