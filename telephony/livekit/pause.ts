/** A wait that can be cut short. */
export interface Pause {
  /** Resolves after so many milliseconds, or at once when hurried since the last wait. */
  wait(ms: number): Promise<void>;
  hurry(): void;
}

export function createPause(): Pause {
  let hurried = false;
  let end: (() => void) | null = null;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          [hurried, end] = [false, null];
          resolve();
        };
        const timer = setTimeout(done, ms);
        end = done;
        if (hurried) done();
      }),
    hurry() {
      hurried = true;
      end?.();
    },
  };
}
