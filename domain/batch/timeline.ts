/** Seconds that a step of a timeline may have. Steps begin at whole multiples of them since 1970 (UTC). */
export const timelineSteps = [60, 300, 900, 3600, 21_600, 86_400] as const;
export type TimelineStep = (typeof timelineSteps)[number];

/** A day of minutes and one hour more; four years of days. */
export const mostPoints = 1_500;

/** What happened in a step. */
export interface TimelineCount {
  /** When the step begins. */
  readonly at: Date;
  readonly dialed: number;
  readonly answered: number;
  readonly ended: number;
}

export interface TimelinePoint extends TimelineCount {
  /** Calls live at the end of the step; of the step that goes on, now. */
  readonly live: number;
}

/** From the beginning of the step of the first instant to, and without, the second. */
export interface TimelineRange {
  readonly from: Date;
  readonly until: Date;
  readonly step: TimelineStep;
}

const startOf = (at: Date, step: TimelineStep): number => Math.floor(at.getTime() / (step * 1000)) * step * 1000;

/** Steps that the time between two instants has. */
export const stepsBetween = ({ from, until, step }: TimelineRange): number =>
  Math.max(0, Math.ceil((until.getTime() - startOf(from, step)) / (step * 1000)));

/** The smallest step of which the time has no more than {@link mostPoints}; null: it is longer than any allows. */
export const fittingStep = (from: Date, until: Date): TimelineStep | null =>
  timelineSteps.find((step) => stepsBetween({ from, until, step }) <= mostPoints) ?? null;

/**
 * A point for each step, also for those in which nothing happened.
 *
 * @param liveBefore calls live when the first step begins
 * @param counts of steps in which something happened, in their order
 */
export function pointsOf(range: TimelineRange, liveBefore: number, counts: readonly TimelineCount[]): TimelinePoint[] {
  const first = startOf(range.from, range.step);
  const byStart = new Map(counts.map((count) => [count.at.getTime(), count]));
  let live = liveBefore;
  return Array.from({ length: stepsBetween(range) }, (_, index) => {
    const at = first + index * range.step * 1000;
    const { dialed = 0, answered = 0, ended = 0 } = byStart.get(at) ?? {};
    live += dialed - ended;
    return { at: new Date(at), dialed, answered, ended, live };
  });
}
