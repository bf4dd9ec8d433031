import type { WeeklyWindow } from '../../domain/call/calling-window.js';

/** Hours of some days by a clock that says nothing of its zone. */
export type Hours = Omit<WeeklyWindow, 'timezone'>;

/** Whole minutes of UTC near which simulations begin. */
export const turns = {
  noon: Date.UTC(2026, 2, 2, 12),
  /** In New York 01:59 is followed by 03:00. */
  clocksForward: Date.UTC(2026, 2, 8, 7),
  /** In New York 01:59 is followed by 01:00, the second time. */
  clocksBack: Date.UTC(2026, 10, 1, 6),
} as const;

export type Turn = keyof typeof turns;

/** Hours that begin and end so many minutes from a turn, by the clock that a zone shows before it. */
export interface HoursPlan {
  /** Name of a zone, or `recipient`: then the clock is New York's. */
  readonly zone: string;
  readonly opensAfterMinutes: number;
  readonly closesAfterMinutes: number;
  /** Only on the day of the week that it is at the opening; otherwise on all. */
  readonly oneDay: boolean;
}

const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const zoneOfRecipients = 'America/New_York';
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const minuteMs = 60_000;
const minutesOfDay = 24 * 60;

/** What a zone's clock and calendar show. */
interface Shown {
  readonly date: string;
  readonly minutes: number;
  /** 1 (Monday) to 7. */
  readonly day: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  formats.set(zone, format);
  return format;
}

function shownAt(zone: string, atMs: number): Shown {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
    day: weekdays.indexOf(part('weekday')) + 1,
  };
}

/** The day of the calendar that it is in a zone. */
export const dateAt = (zone: string, atMs: number): string => shownAt(zone, atMs).date;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

/**
 * Whether a zone's clock shows a time inside the hours. It looks at the clock and works nothing out, so it is no second
 * version of domain/call/calling-window.ts with the same faults.
 */
export function isOpenAt(hours: Hours, zone: string, atMs: number): boolean {
  const { minutes, day } = shownAt(zone, atMs);
  const [from, until] = [minutesOf(hours.from), minutesOf(hours.until)];
  const on = (wanted: number): boolean => hours.daysOfWeek.includes(wanted);
  if (from < until) return on(day) && minutes >= from && minutes < until;
  const dayBefore = day === 1 ? 7 : day - 1;
  return (on(day) && minutes >= from) || (on(dayBefore) && minutes < until);
}

/** @returns null for hours that would begin and end at the same time */
export function hoursOf(plan: HoursPlan, turn: Turn): Hours | null {
  const { minutes: before, day } = shownAt(clockOf(plan), turns[turn] - minuteMs);
  const at = before + 1;
  const from = at + plan.opensAfterMinutes;
  const [opens, closes] = [clock(from), clock(at + plan.closesAfterMinutes)];
  if (opens === closes) return null;
  const dayOfOpening = ((day - 1 + Math.floor(from / minutesOfDay) + 7) % 7) + 1;
  return { from: opens, until: closes, daysOfWeek: plan.oneDay ? [dayOfOpening] : everyDay };
}

export function windowOf(plan: HoursPlan | null, turn: Turn): WeeklyWindow | null {
  const hours = plan === null ? null : hoursOf(plan, turn);
  return plan === null || hours === null ? null : { ...hours, timezone: plan.zone };
}

const clockOf = ({ zone }: HoursPlan): string => (zone === 'recipient' ? zoneOfRecipients : zone);

/** Any number of minutes, as a clock shows it. */
function clock(minutes: number): string {
  const ofDay = ((minutes % minutesOfDay) + minutesOfDay) % minutesOfDay;
  const text = (part: number): string => String(part).padStart(2, '0');
  return `${text(Math.floor(ofDay / 60))}:${text(ofDay % 60)}`;
}
