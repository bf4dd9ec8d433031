import { type ClockOfZone, clockOf } from './clock.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Temporal's schedules end with this year. */
const lastYear = 2100;

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayNames = 'sun mon tue wed thu fri sat'.split(' ');

/** The values that a field of a cron expression names, smallest first. */
function valuesOf(field: string, least: number, most: number, names: readonly string[] = []): readonly number[] {
  const numberOf = (text: string): number => {
    const place = names.indexOf(text.toLowerCase());
    return place === -1 ? Number(text) : place + least;
  };
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '*', step] = part.split('/');
    const [first = least, last = step === undefined ? first : most] =
      range === '*' ? [least, most] : range.split('-').map(numberOf);
    for (let value = first; value <= last; value += Math.max(1, Number(step ?? 1))) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

interface Fields {
  readonly minutes: readonly number[];
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

function fieldsOf(cron: string): Fields {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.trim().split(/\s+/);
  return {
    minutes: valuesOf(minute, 0, 59),
    hours: new Set(valuesOf(hour, 0, 23)),
    days: new Set(valuesOf(day, 1, 31)),
    months: new Set(valuesOf(month, 1, 12, monthNames)),
    weekdays: new Set(valuesOf(weekday, 0, 7, dayNames).map((value) => value % 7)),
  };
}

const hourOf = (wallMs: number): number => Math.floor(wallMs / hourMs);

/** The first time after an instant, or null. Its clock is walked hour by hour, as Temporal does. */
function nextRun(
  { minutes, hours, days, months, weekdays }: Fields,
  zone: ClockOfZone,
  afterMs: number,
): number | null {
  const fits = (hourShown: number, minute: number): boolean => {
    const weekday = new Date(zone.shownAt(zone.instantOf(hourShown + minute * minuteMs))).getUTCDay();
    return days.has(new Date(hourShown).getUTCDate()) && weekdays.has(weekday);
  };
  const shownMs = zone.shownAt(afterMs);
  let hour = hourOf(shownMs) * hourMs;
  let minute = Math.floor((shownMs - hour) / minuteMs) + 1;
  // What is added to the instant of a clock time: an hour in the second of two hours that are shown alike.
  let shift = hourOf(zone.shownAt(afterMs - hourMs)) === hourOf(shownMs) ? hourMs : 0;
  const goTo = (next: number): void => {
    hour = next;
    minute = 0;
    shift = 0;
  };
  for (;;) {
    const at = new Date(hour);
    if (at.getUTCFullYear() > lastYear) return null;
    if (!months.has(at.getUTCMonth() + 1)) {
      goTo(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
      continue;
    }
    const day = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());
    if (!fits(hour, Math.min(minute, 59))) {
      goTo(day + 24 * hourMs);
      continue;
    }
    // The day is not looked at again for these: Temporal judges it by its first hour, also if the clocks skip that.
    while (hour < day + 24 * hourMs && !hours.has(new Date(hour).getUTCHours())) goTo(hour + hourMs);
    if (hour >= day + 24 * hourMs) continue;
    const wanted = minutes.find((value) => value >= minute);
    if (wanted === undefined) {
      const next = hour + hourMs;
      if (shift === 0 && zone.instantOf(next) - zone.instantOf(hour) > hourMs) {
        minute = 0;
        shift = hourMs;
      } else {
        goTo(next);
      }
      continue;
    }
    const instantMs = zone.instantOf(hour + wanted * minuteMs);
    if (hourOf(zone.shownAt(instantMs)) % 24 === hourOf(hour) % 24) return instantMs + shift;
    // The clocks skip it.
    hour += hourMs;
    minute = 0;
  }
}

/**
 * The next times of a schedule, as Temporal has them, which starts the runs; libraries of cron have other ones on days on which clocks
 * change. A time that clocks skip does not come on that day, unless they skip less than an hour; one that they show twice comes twice
 * west of Greenwich, and east of it once, mostly the second time; there a run of the hour before can come again an hour later.
 *
 * @param cron five fields, without a problem (`cronProblem`)
 * @param zone IANA name of the zone that they are read in
 * @throws RangeError if there is no such zone
 */
export function nextRunsOf(cron: string, zone: string, from: Date, count: number): readonly Date[] {
  const clock = clockOf(zone);
  const fields = fieldsOf(cron);
  const found: Date[] = [];
  for (let next = nextRun(fields, clock, from.getTime()); next !== null; next = nextRun(fields, clock, next)) {
    found.push(new Date(next));
    if (found.length >= count) break;
  }
  return found;
}
