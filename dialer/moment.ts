import { performance } from 'node:perf_hooks';

/** An instant on both clocks of this machine. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const now = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * Milliseconds that have passed since, at the most: by the clock that says more. The monotonic clock stands still while the
 * machine is suspended, the wall clock may be set back. Who asks wants to know whether it may still act on what it knew
 * then: too long an answer costs a delay, too short a one a promise.
 */
export const elapsedMs = (since: Moment): number =>
  Math.max(0, performance.now() - since.monotonicMs, Date.now() - since.wallMs);
