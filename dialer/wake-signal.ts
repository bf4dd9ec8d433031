/** A wait that can be cut short: a loop sleeps on it, events ring it. */
export interface WakeSignal {
  /** Ends the present wait, or the next one if none is under way. */
  readonly ring: () => void;
  /** Resolves when rung, or after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

export function createWakeSignal(): WakeSignal {
  let rung = false;
  let wakeUp: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wakeUp?.();
    },
    wait(ms) {
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          wakeUp = null;
          rung = false;
          resolve();
        };
        const timer = setTimeout(done, ms);
        wakeUp = done;
        if (rung) done();
      });
    },
  };
}
