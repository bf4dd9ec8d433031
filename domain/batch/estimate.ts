/** What decides how long the calls of a batch take. */
export interface BatchPace {
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Most calls at the same time. */
  readonly concurrency: number;
  /** Seconds from the dialing to the end of one call, on average. */
  readonly callSeconds: number;
}

/**
 * Seconds from the start of a batch to the end of its last first attempt, by an even pace: whichever takes longer, dialing
 * them all one after the other, or round after round of as many as may be live at once; 0 for no calls.
 */
export function estimatedSeconds({ calls, callsPerSecond, concurrency, callSeconds }: BatchPace): number {
  if (calls === 0) return 0;
  const dialing = (calls - 1) / callsPerSecond;
  const rounds = (Math.ceil(calls / concurrency) - 1) * callSeconds;
  return Math.ceil(Math.max(dialing, rounds) + callSeconds);
}
