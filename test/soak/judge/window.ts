import type { Window } from './evidence.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/** HH:MM of an instant in a zone, as its clocks show it. */
export function clockOf(atMs: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

const isOpenAt = ({ from, until, timezone }: Window, atMs: number): boolean => {
  const clock = clockOf(atMs, timezone);
  return from < until ? clock >= from && clock < until : clock >= from || clock < until;
};

/** Whether the window was open at some moment of the interval. */
export function isOpen(window: Window, fromMs: number, untilMs: number): boolean {
  for (let atMs = fromMs; atMs < untilMs; atMs += 1_000) if (isOpenAt(window, atMs)) return true;
  return isOpenAt(window, untilMs);
}
