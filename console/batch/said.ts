import type { Schemas } from '../api/client.js';
import { duration, spoken } from '../ui/words.js';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The names of the days of the week, from Monday, as a field counts them: from 1. */
export const weekDays = days.map((name, index) => ({ value: String(index + 1), name }));

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;

/** When calls are made again, in words. */
export function retriesSaid({ enabled, retryOn, retryDelays }: Schemas['BatchRetry']): string {
  if (!enabled) return 'Each number is called once.';
  const delays = retryDelays.map((seconds) => duration(seconds));
  return `Tries again after ${listed(delays)} if ${retryOn.map(spoken).join(' or ')}.`;
}

/** When calls may start, in words. */
export function windowSaid(window: Schemas['CallingWindow'] | undefined): string {
  if (window === undefined) return 'At any hour.';
  const { from, until, daysOfWeek, timezone } = window;
  const on = daysOfWeek.length === 7 ? 'every day' : listed(daysOfWeek.map((day) => days[day - 1] ?? String(day)));
  return `${from} to ${until}, ${on}, ${timezone === 'recipient' ? 'by the clock of each callee' : `in ${timezone}`}.`;
}
