import {
  windowsOf,
  type CallingWindow,
  type DatedWindow,
  type WeeklyWindow,
} from '../../domain/call/calling-window.js';

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
  /** Days from that of the turn, by the zone's calendar, on whose dates nothing opens; omitted: there are none. */
  readonly exceptDays?: readonly number[];
  /** A second window of the list; omitted: there is none. */
  readonly beside?: HoursPlan;
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
export function isOpenAt(hours: Hours, zone: string, atMs: number, excepted: ReadonlySet<string> = none): boolean {
  const { minutes, day, date } = shownAt(zone, atMs);
  const [from, until] = [minutesOf(hours.from), minutesOf(hours.until)];
  const on = (wanted: number, of: string): boolean => hours.daysOfWeek.includes(wanted) && !excepted.has(of);
  if (from < until) return on(day, date) && minutes >= from && minutes < until;
  const dayBefore = day === 1 ? 7 : day - 1;
  return (on(day, date) && minutes >= from) || (on(dayBefore, dateAfter(date, -1)) && minutes < until);
}

const none: ReadonlySet<string> = new Set();

/** Whether any window of a calling window is open for a callee of this zone, by one that did not open on an excepted date. */
export function isListOpenAt(list: CallingWindow, zone: string, atMs: number): boolean {
  const windows = windowsOf(list);
  const excepted = new Set(windows.flatMap(({ except = [] }) => except));
  return windows.some((window) =>
    isOpenAt(window, window.timezone === 'recipient' ? zone : window.timezone, atMs, excepted),
  );
}

/** The date so many days after another. */
function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * minutesOfDay * minuteMs).toISOString().slice(0, 10);
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

export function windowOf(plan: HoursPlan | null, turn: Turn): CallingWindow | null {
  const first = weeklyOf(plan, turn);
  if (plan === null || first === null) return null;
  const { exceptDays = [], beside = null } = plan;
  const second = weeklyOf(beside, turn);
  if (exceptDays.length === 0 && second === null) return first;
  const today = dateAt(clockOf(plan), turns[turn] - minuteMs);
  const window: DatedWindow =
    exceptDays.length === 0 ? first : { ...first, except: exceptDays.map((days) => dateAfter(today, days)) };
  if (second === null) return { timezone: window.timezone, window };
  const zones = [window.timezone, second.timezone];
  return { timezone: zones.includes('recipient') ? 'recipient' : window.timezone, windows: [window, second] };
}

function weeklyOf(plan: HoursPlan | null, turn: Turn): WeeklyWindow | null {
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
