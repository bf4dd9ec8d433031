/** How long the database takes to answer this dialer, as it has lately been. */
export interface Latency {
  observe(ms: number): void;
  /** Milliseconds from a question to its answer, the slower ones of late; 0 if they are short beside the gate's patience. */
  readonly roundTripMs: number;
}

/** The gate waits a quarter of a second for an attempt whose slot has come. */
const negligibleMs = 50;
const mostMs = 5_000;
const forgets = 0.8;

export function createLatency(): Latency {
  let recentMs = 0;
  return {
    observe(ms) {
      recentMs = Math.min(mostMs, Math.max(ms, recentMs * forgets));
    },
    get roundTripMs() {
      return recentMs < negligibleMs ? 0 : recentMs;
    },
  };
}
