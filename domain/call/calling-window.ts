import { clocksOf, clocksRevision, stretchAt } from './time-zone.js';

/** In place of a zone's name: the window follows each callee's own clock. */
export const recipientZone = 'recipient';

/**
 * Hours on days of the week in which a batch may start calls (docs/conformance.md, Batch calls: schedule, retry, webhook, window).
 *
 * A window whose `until` is before its `from` runs past midnight (18:30 to 03:30, as a team in India calls the United
 * States); the hours after midnight then belong to the day on which the window opened. The same time twice is refused,
 * because it could mean never or always; the whole day is 00:00 to 24:00.
 */
export interface WeeklyWindow {
  /** HH:MM, 00:00 to 23:59: the first minute in which calls may start. */
  readonly from: string;
  /** HH:MM, 00:01 to 24:00: the first minute in which they may no longer. */
  readonly until: string;
  /** ISO 8601 days of the week, 1 (Monday) to 7 (Sunday), ascending, each once. */
  readonly daysOfWeek: readonly number[];
  /** IANA name, or `recipient`. */
  readonly timezone: string;
}

/** A window of a list, or one with dates on which it does not open. */
export interface DatedWindow extends WeeklyWindow {
  /** YYYY-MM-DD, ascending, each once; at least one. */
  readonly except?: readonly string[];
}

/**
 * What `callingWindow` says, as it is stored. It is open if any of its windows is; none opens on a date that any of them excepts.
 *
 * The newer shapes have no `daysOfWeek` of their own: a process of a version that does not know them fails to work out their hours,
 * and puts off what it would dial (docs/adr/0042-calling-windows-are-lists.md). `timezone` is `recipient` if that of any window is.
 */
export type CallingWindow =
  | WeeklyWindow
  | { readonly timezone: string; readonly window: DatedWindow }
  | { readonly timezone: string; readonly windows: readonly DatedWindow[] };

/** The single windows of a calling window. */
export function windowsOf(window: CallingWindow): readonly DatedWindow[] {
  if ('windows' in window) return window.windows;
  return 'window' in window ? [window.window] : [window];
}

/**
 * The zones in which the window must be open for one callee.
 *
 * @param recipientZones what is known of the callee: the row's own zone, else those of the number (`calls.time_zones`)
 * @param batchZone taken if nothing is known of the callee
 */
export function zonesOfWindow(
  window: CallingWindow,
  recipientZones: readonly string[] | null,
  batchZone: string,
): readonly string[] {
  if (window.timezone !== recipientZone) return [window.timezone];
  return recipientZones === null || recipientZones.length === 0 ? [batchZone] : recipientZones;
}

export interface Opening {
  /** When calls may start: the instant asked about if the window is open then. */
  readonly opensAt: Date;
  /** When they may no longer; windows that follow one another without a gap count as one. */
  readonly closesAt: Date;
}

/** A common opening is looked for until so many days after the day asked about. */
export const daysSearched = 31;

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface Hours {
  readonly fromMs: number;
  /** After fromMs: beyond 24 hours if the window runs past midnight. */
  readonly untilMs: number;
  readonly days: readonly number[];
  /** Whose clock counts; null: that of each zone asked about. */
  readonly zone: string | null;
}

/** Hours of which any may be open, and days since the epoch on which none opens, ascending. */
interface Rule {
  readonly hours: readonly Hours[];
  readonly closedDays: readonly number[];
  readonly isClosed: ReadonlySet<number>;
}

interface Span {
  readonly opensMs: number;
  readonly closesMs: number;
}

const clockMs = (text: string): number => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * minuteMs;

const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

function closedDaysOf(window: CallingWindow): readonly number[] {
  const dates = windowsOf(window).flatMap(({ except = [] }) => except);
  return [...new Set(dates)].map(dayOf).sort((a, b) => a - b);
}

function ruleOf(window: CallingWindow): Rule {
  const isList = !('daysOfWeek' in window);
  const hours = windowsOf(window).map(({ from, until, daysOfWeek, timezone }): Hours => {
    const fromMs = clockMs(from);
    const untilMs = clockMs(until);
    return {
      fromMs,
      untilMs: untilMs > fromMs ? untilMs : untilMs + dayMs,
      days: daysOfWeek,
      zone: isList && timezone !== recipientZone ? timezone : null,
    };
  });
  const closedDays = closedDaysOf(window);
  return { hours, closedDays, isClosed: new Set(closedDays) };
}

/** The first span by local clocks that ends after this local time. */
function localSpan(hours: Hours, isClosed: Rule['isClosed'], localMs: number): Span | null {
  const yesterday = Math.floor(localMs / dayMs) - 1;
  const lastDay = yesterday + 8 + 7 * isClosed.size;
  for (let day = yesterday; day <= lastDay; day += 1) {
    // Day 0 of the epoch was a Thursday.
    const dayOfWeek = ((((day + 3) % 7) + 7) % 7) + 1;
    const closesMs = day * dayMs + hours.untilMs;
    if (closesMs > localMs && hours.days.includes(dayOfWeek) && !isClosed.has(day)) {
      return { opensMs: day * dayMs + hours.fromMs, closesMs };
    }
  }
  return null;
}

/**
 * The first stretch at or after `atMs` in which the zone's clocks show a time inside the hours. Worked out piece by
 * piece between changes of the clocks, so that it holds to the minute when an hour is skipped or comes twice.
 */
function spanOfHours(
  hours: Hours,
  isClosed: Rule['isClosed'],
  zone: string,
  atMs: number,
  horizonMs: number,
): Span | null {
  for (let searchedMs = atMs; searchedMs < horizonMs;) {
    const { offsetMs, endsAtMs } = stretchAt(zone, searchedMs);
    const local = localSpan(hours, isClosed, searchedMs + offsetMs);
    if (local === null) return null;
    const opensMs = Math.max(searchedMs, local.opensMs - offsetMs);
    if (opensMs < endsAtMs) return { opensMs, closesMs: Math.min(local.closesMs - offsetMs, endsAtMs) };
    searchedMs = endsAtMs;
  }
  return null;
}

/** The first such stretch of any of the hours; of several that open at once, the longest. */
function nextSpan({ hours, isClosed }: Rule, zone: string, atMs: number, horizonMs: number): Span | null {
  let first: Span | null = null;
  for (const each of hours) {
    const span = spanOfHours(each, isClosed, each.zone ?? zone, atMs, horizonMs);
    if (span === null) continue;
    const isSooner = first === null || span.opensMs < first.opensMs;
    if (isSooner || (span.opensMs === first?.opensMs && span.closesMs > first.closesMs)) first = span;
  }
  return first;
}

/** The same, with the spans that follow without a gap; not beyond the horizon. */
function nextWholeSpan(rule: Rule, zone: string, atMs: number, horizonMs: number): Span | null {
  const first = nextSpan(rule, zone, atMs, horizonMs);
  if (first === null) return null;
  let { closesMs } = first;
  while (closesMs < horizonMs) {
    const following = nextSpan(rule, zone, closesMs, horizonMs);
    if (following?.opensMs !== closesMs) break;
    closesMs = following.closesMs;
  }
  return { opensMs: first.opensMs, closesMs };
}

/** The rule by each of the clocks that its own zones have: it must be open by all. */
function byClocks(rule: Rule): readonly Rule[] {
  const others = rule.hours.map((each) => (each.zone === null ? each : { ...each, zone: lastClock(each.zone) }));
  const isDisputed = others.some(({ zone }, place) => zone !== rule.hours[place]?.zone);
  return isDisputed ? [rule, { ...rule, hours: others }] : [rule];
}

const lastClock = (zone: string): string => clocksOf(zone).at(-1) ?? zone;

function commonSpan(rule: Rule, zones: readonly string[], atMs: number, horizonMs: number): Span | null {
  const rules = byClocks(rule);
  const clocks = zones.flatMap((zone) => clocksOf(zone));
  const judges = rules.flatMap((each) => clocks.map((clock) => [each, clock] as const));
  for (let opensMs = atMs; opensMs < horizonMs;) {
    let latestMs = opensMs;
    let closesMs = Infinity;
    for (const [each, clock] of judges) {
      const span = nextWholeSpan(each, clock, opensMs, horizonMs);
      if (span === null) return null;
      latestMs = Math.max(latestMs, span.opensMs);
      closesMs = Math.min(closesMs, span.closesMs);
    }
    if (latestMs === opensMs) return { opensMs, closesMs };
    opensMs = latestMs;
  }
  return null;
}

interface Answer {
  readonly askedMs: number;
  readonly horizonMs: number;
  readonly span: Span | null;
}

const answers = new Map<string, Answer>();
const mostAnswersRemembered = 5_000;

/** Whether an earlier answer says the same about this instant: the span it found is still ahead, or there was none. */
const stillHolds = ({ askedMs, horizonMs, span }: Answer, atMs: number, wantedHorizonMs: number): boolean =>
  askedMs <= atMs && horizonMs === wantedHorizonMs && (span === null || atMs < span.closesMs);

const keys = new WeakMap<CallingWindow, string>();

/** Two windows with the same key mean the same hours. */
function keyOf(window: CallingWindow): string {
  if ('daysOfWeek' in window) return `${window.from} ${window.until} ${window.daysOfWeek.join()}`;
  let key = keys.get(window);
  if (key === undefined) {
    key = JSON.stringify(windowsOf(window));
    keys.set(window, key);
  }
  return key;
}

/**
 * Until when an opening is looked for: the same for a whole day, so that one answer serves all callees in the same zones.
 * A date that is excepted puts off the opening by a week at most, so that many of them never look like no opening at all.
 */
export function searchedUntilMs(window: CallingWindow, atMs: number): number {
  const day = Math.floor(atMs / dayMs) + 1;
  if ('daysOfWeek' in window) return (day + daysSearched) * dayMs;
  const closed = closedDaysOf(window).filter((each) => each >= day - 3);
  const last = closed.at(-1) ?? day;
  return (Math.max(day, Math.min(last + 2, day + 8 * closed.length)) + daysSearched) * dayMs;
}

/**
 * The next stretch of time in which the window is open in **all** of the zones: a callee of which only the country is
 * known is called only when none of its zones forbids it. Of a zone whose clock PostgreSQL has otherwise, both clocks count.
 *
 * @param zones names that `canonicalZone` knows; at least one. Only windows of a list with zones of their own are not judged by them
 * @returns null if the window opens in all zones at once on no day of the {@link daysSearched} that follow, or follow its excepted dates
 * @throws RangeError for no zones, or an unknown one
 */
export function nextOpening(window: CallingWindow, zones: readonly string[], from: Date): Opening | null {
  if (zones.length === 0) throw new RangeError('A calling window needs at least one time zone.');
  const atMs = from.getTime();
  const horizonMs = searchedUntilMs(window, atMs);
  const key = `${keyOf(window)} ${zones.join()} ${clocksRevision()}`;
  let answer = answers.get(key);
  if (answer === undefined || !stillHolds(answer, atMs, horizonMs)) {
    if (answers.size >= mostAnswersRemembered) answers.clear();
    answer = { askedMs: atMs, horizonMs, span: commonSpan(ruleOf(window), zones, atMs, horizonMs) };
    answers.set(key, answer);
  }
  const { span } = answer;
  if (span === null) return null;
  return { opensAt: new Date(Math.max(atMs, span.opensMs)), closesAt: new Date(span.closesMs) };
}
