import { Temporal } from 'temporal-polyfill';
import type { Problem } from '../errors.js';
import { canonicalZone, zoneProblem } from '../call/time-zone.js';

/** The zone if the schedule names none (docs/conformance.md, POST /v1/batch-calls). */
export const defaultTimezone = 'Asia/Calcutta';

/** When a batch is to start, as a client writes it. */
export interface Schedule {
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM in 24-hour time */
  readonly time: string;
  /** IANA name; omitted: the default of the account. */
  readonly timezone?: string;
}

export interface Start {
  readonly startsAt: Date;
  /** The zone under its canonical name. */
  readonly timezone: string;
}

const dateShape = /^\d{4}-\d{2}-\d{2}$/;
const timeShape = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Why a text is no calendar date, or null. */
export function dateProblem(text: string): string | null {
  if (!dateShape.test(text)) return 'must be YYYY-MM-DD, such as 2027-01-31';
  try {
    Temporal.PlainDate.from(text);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return 'must be a day that the calendar has';
    throw error;
  }
}

/** Why a text is no time of day, or null. */
export const timeProblem = (text: string): string | null =>
  timeShape.test(text) ? null : 'bad time format: must be HH:MM in 24-hour time, such as 09:30';

const problem = (path: string, message: string): Problem => ({ path, code: 'INVALID_VALUE', message });

/**
 * The instant that a schedule names, or everything that is wrong with it (docs/conformance.md, Batch calls: schedule,
 * retry, webhook, window). Paths begin with `schedule`.
 *
 * A time that the zone's clocks skip is refused, one that they show twice is the first of the two. The minute that is
 * running counts as now; an earlier one, and anything more than a year ahead, is refused.
 *
 * @param unnamedZone the zone of a schedule that names none
 */
export function startOf(
  schedule: Schedule,
  now: Date,
  unnamedZone = defaultTimezone,
): { readonly start: Start } | { readonly problems: readonly Problem[] } {
  const timezone = canonicalZone(schedule.timezone ?? unnamedZone);
  const problems: Problem[] = [];
  const check = (path: string, message: string | null): void => {
    if (message !== null) problems.push(problem(path, message));
  };
  check('schedule.date', dateProblem(schedule.date));
  check('schedule.time', timeProblem(schedule.time));
  check('schedule.timezone', zoneProblem(schedule.timezone ?? unnamedZone));
  if (problems.length > 0 || timezone === null) return { problems };

  const wanted = Temporal.PlainDate.from(schedule.date).toPlainDateTime(Temporal.PlainTime.from(schedule.time));
  const start = wanted.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (!start.toPlainDateTime().equals(wanted)) {
    const message = `does not exist on ${schedule.date} in ${timezone}, where the clocks go forward past it`;
    return { problems: [problem('schedule.time', message)] };
  }
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  const thisMinuteMs = now.getTime() - (now.getTime() % 60_000);
  if (start.epochMilliseconds < thisMinuteMs) {
    const clock = today.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
    const path = start.toPlainDate().equals(today.toPlainDate()) ? 'schedule.time' : 'schedule.date';
    return { problems: [problem(path, `is in the past: it is ${clock} in ${timezone}`)] };
  }
  if (start.epochMilliseconds > today.add({ years: 1 }).epochMilliseconds) {
    return { problems: [problem('schedule.date', 'must be at most 1 year ahead')] };
  }
  return { start: { startsAt: new Date(start.epochMilliseconds), timezone } };
}
