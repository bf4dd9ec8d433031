/** Recent measurements: how fast the database answers this dialer, and how late after their slots INVITEs could leave. */
export interface Latency {
  /** The database answered a question after so many milliseconds. */
  answered(ms: number): void;
  /** The gate's answer about an attempt came so many milliseconds after its slot. */
  known(ms: number): void;
  /** Milliseconds from a question to its answer: the second longest of the recent ones. */
  readonly roundTripMs: number;
  /**
   * How late after its slot an INVITE may leave: a quarter more than was needed recently. Every millisecond of it lowers the
   * rate by a thousandth (db/functions/pace-attempts.sql). An INVITE that would leave later is not sent and waits for another
   * slot.
   */
  readonly patienceMs: number;
}

const mostMs = 5_000;
/** Measurements that are kept. A single long one says nothing about the next: the second longest counts. */
const remembered = 32;
/** Assumed before the first measurements: the first answers on a connection take longer than those that follow. */
const expectedMs = 100;
const expectedLateMs = 170;
const leastPatienceMs = 50;

/** Remembers the recent measurements and gives the second longest. */
function createMemory(expected: number) {
  const recent = [expected, expected];
  return {
    add(ms: number): void {
      recent.push(Math.min(mostMs, ms));
      if (recent.length > remembered) recent.shift();
    },
    usual: (): number => recent.toSorted((a, b) => b - a)[1] ?? expected,
  };
}

export function createLatency(): Latency {
  const answers = createMemory(expectedMs);
  const lateness = createMemory(expectedLateMs);
  return {
    answered: (ms) => answers.add(ms),
    known: (ms) => lateness.add(ms),
    get roundTripMs() {
      return answers.usual();
    },
    get patienceMs() {
      return Math.min(mostMs, Math.max(leastPatienceMs, Math.ceil(20 + 1.25 * lateness.usual())));
    },
  };
}
