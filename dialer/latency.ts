/** How long the database takes to answer this dialer, and how late after their slots INVITEs could leave, of late. */
export interface Latency {
  /** A question was answered after so many milliseconds. */
  answered(ms: number): void;
  /** Whether an attempt passes the gate was known so many milliseconds after its slot. */
  known(ms: number): void;
  /** Milliseconds from a question to its answer: one of the last answers at most took longer. */
  readonly roundTripMs: number;
  /**
   * How late after its slot an INVITE may leave: a quarter more than was needed of late. Every millisecond of it lowers the
   * rate by a thousandth (db/functions/pace-attempts.sql); an INVITE that comes later is not sent, and has to wait for
   * another slot.
   */
  readonly patienceMs: number;
}

const mostMs = 5_000;
/** So many are remembered; one that takes long says nothing about the next. */
const remembered = 32;
/** What is expected before anything is known: the first answers of a connection take longer than those that follow. */
const expectedMs = 100;
const expectedLateMs = 170;
const leastPatienceMs = 50;

/** The second longest of the last ones. */
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
