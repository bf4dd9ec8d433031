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
  /**
   * How far ahead the first free slot has to lie, so that its INVITE is not too late when pace and gate have answered. Patience
   * covers most of that: a dial that has no others before it leaves as soon as the gate has answered.
   */
  readonly leadMs: number;
}

const mostMs = 5_000;
/** Measurements that are kept. A single long one says nothing about the next: the second longest counts. */
const remembered = 32;
/** Assumed before the first measurements: the first answers on a connection take longer than those that follow. */
const expectedMs = 100;
const expectedLateMs = 170;
const defaultLeastPatienceMs = 50;
/** Attempts whose slots lie within this time go through the gate in one statement, this late at most. */
export const gatherMs = 10;

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

/** What the gate may take of a patience: its answer has to come back in time as well. */
export const patienceAtGateMs = (patienceMs: number, roundTripMs: number): number =>
  Math.max(patienceMs / 2, patienceMs - roundTripMs);

/** @param leastPatienceMs how late after its slot an INVITE may leave, whatever the measurements say; at most 5,000 */
export function createLatency(leastPatienceMs = defaultLeastPatienceMs): Latency {
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
    get leadMs() {
      // Half a round trip back from pace, half of one to the gate, and what a dial waits for others in between.
      return Math.max(0, this.roundTripMs + gatherMs - patienceAtGateMs(this.patienceMs, this.roundTripMs));
    },
  };
}
