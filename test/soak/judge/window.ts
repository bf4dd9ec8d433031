import type { Window, Windows } from './evidence.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/** HH:MM of an instant in a zone, as its clocks show it. */
export function clockOf(atMs: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

/** YYYY-MM-DD of an instant in a zone. */
export const dateOf = (atMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(atMs);

const dayMs = 86_400_000;

/** Whether a window is open; one that crosses midnight belongs to the date on which it opened. */
function isOpenAt({ from, until, timezone }: Window, excepted: readonly string[], atMs: number): boolean {
  const clock = clockOf(atMs, timezone);
  const isBeforeMidnight = clock >= from && (from >= until || clock < until);
  const isAfterMidnight = from >= until && clock < until;
  if (!isBeforeMidnight && !isAfterMidnight) return false;
  if (excepted.length === 0) return true;
  return !excepted.includes(dateOf(isBeforeMidnight ? atMs : atMs - dayMs, timezone));
}

/** Whether one of the windows was open at some moment of the interval. */
export function isOpen(windows: Windows, fromMs: number, untilMs: number): boolean {
  if (windows === null) return true;
  const excepted = windows.flatMap(({ except = [] }) => except);
  const isAnyOpen = (atMs: number): boolean => windows.some((window) => isOpenAt(window, excepted, atMs));
  for (let atMs = fromMs; atMs < untilMs; atMs += 1_000) if (isAnyOpen(atMs)) return true;
  return isAnyOpen(untilMs);
}

/** A list of windows in words. */
export const wordsOf = (windows: Windows): string =>
  (windows ?? [])
    .map(({ from, until, timezone, except = [] }) =>
      [`${from} to ${until} ${timezone}`, ...(except.length === 0 ? [] : [`but on ${except.join(', ')}`])].join(' '),
    )
    .join(' or ');
