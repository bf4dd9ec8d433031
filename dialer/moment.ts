import { performance } from 'node:perf_hooks';

/** An instant on both clocks of this machine. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const now = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/**
 * Milliseconds since then by the clock that says more. The monotonic clock stands still while the machine is suspended, the
 * wall clock may be set back. Callers ask whether they may still act on what they knew then: an answer that is too long costs
 * a delay, one that is too short breaks a promise.
 */
export const elapsedMs = (since: Moment): number =>
  Math.max(0, performance.now() - since.monotonicMs, Date.now() - since.wallMs);
