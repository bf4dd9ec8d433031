/** What tells whether the machine of a worker keeps up, over the last second. */
export interface Pulse {
  /** Share of all processors that was in use, by whatever program; 0 to 1. */
  readonly processor: number;
  /** Longest time that a timer came late, in this process or in one of a conversation. */
  readonly lagMs: number;
  /** Latest first sound of a greeting; null if there was none. */
  readonly greetingMs: number | null;
}

/** What a worker can hold: its limit goes down at once and comes back slowly. */
export interface Strain {
  /** Most conversations that it can hold now. */
  readonly limit: number;
  /** Seconds in a row in which it has kept up. */
  readonly calm: number;
  /** Seconds in a row in which the processors were full: one alone is nothing. */
  readonly full: number;
}

const fullProcessor = 0.92;
const mostFull = 3;
const mostLagMs = 250;
/** Callees talk into an agent that is later than this. */
const mostGreetingMs = 1_000;
/** With less in use it is not the machine that a late greeting waited for, but a model. */
const busyProcessor = 0.75;
/** Seconds without strain after which one more conversation is tried. */
const calmSeconds = 3;

export const noStrain = (slots: number): Strain => ({ limit: slots, calm: 0, full: 0 });

/**
 * The strain after another second.
 *
 * ```
 * limit ── late, or full for three seconds ──▶ what it has now (at least 1) ── calm for three seconds ──▶ one more, up to the slots
 * ```
 *
 * A worker never offers nothing: calls of one conversation at a time go on even where other programs fill the machine.
 *
 * @param talking conversations that it has
 * @param slots most it may have
 */
export function nextStrain(before: Strain, pulse: Pulse, talking: number, slots: number): Strain {
  const full = pulse.processor >= fullProcessor ? before.full + 1 : 0;
  const isGreetingLate = (pulse.greetingMs ?? 0) > mostGreetingMs && pulse.processor >= busyProcessor;
  const isLate = pulse.lagMs > mostLagMs || isGreetingLate;
  if (isLate || full >= mostFull) {
    return { limit: Math.max(1, Math.min(before.limit, talking)), calm: 0, full };
  }
  if (full > 0 || before.limit >= slots) return { ...before, full, calm: 0 };
  return before.calm + 1 >= calmSeconds
    ? { limit: before.limit + 1, calm: 0, full }
    : { ...before, calm: before.calm + 1, full };
}

/**
 * Conversations that a worker takes if no one has said how many: two for each processor. One needs a quarter of a processor
 * while it talks, and most of one in the seconds in which it begins.
 */
export const slotsFor = (processors: number): number => Math.max(1, 2 * processors);
