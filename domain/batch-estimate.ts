/** What decides how long the calls of a batch take. */
export interface BatchPace {
  readonly calls: number;
  readonly callsPerSecond: number;
  /** Most calls at the same time. */
  readonly concurrency: number;
  /** Seconds from the dialing to the end of one call, on average. */
  readonly callSeconds: number;
}

/** Seconds from the start of a batch to the end of its last first attempt, by an even pace; 0 for no calls. */
export function estimatedSeconds({ calls, callsPerSecond, concurrency, callSeconds }: BatchPace): number {
  if (calls === 0) return 0;
  const rate = Math.min(callsPerSecond, concurrency / callSeconds);
  return Math.ceil((calls - 1) / rate + callSeconds);
}
