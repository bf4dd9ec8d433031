import type { Schemas } from '../api/client.js';
import { dayNames } from '../ui/week-days.js';
import { duration, figure, spoken } from '../ui/words.js';

const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1) ?? ''}`;

/** When calls are made again, in words. */
export function retriesSaid({ enabled, retryOn, retryDelays }: Schemas['BatchRetry']): string {
  if (!enabled) return 'Each number is called once.';
  const delays = retryDelays.map((seconds) => duration(seconds));
  return `Tries again after ${listed(delays)} if ${listed(retryOn.map(spoken), 'or')}.`;
}

/** What it stops after, in words. */
export function stopSaid(stop: Schemas['BatchCallDetail']['stopAfter']): string {
  if (stop === undefined) return 'When everyone has been called.';
  return 'answered' in stop
    ? `After ${figure(stop.answered)} answered calls.`
    : `After ${figure(stop.success)} successful calls.`;
}

/** Why it stopped before everybody had been called. */
export const stoppedSaid: Readonly<Record<NonNullable<Schemas['BatchCallDetail']['stoppedBy']>, string>> = {
  answered: 'Enough calls were answered; no one else is called.',
  success: 'Enough calls were a success; no one else is called.',
  until: 'Its end time was reached; no one else is called.',
  maxCost: 'Its cost limit was reached; no one else is called.',
};

/** When calls may start, in words. */
export function windowSaid(window: Schemas['CallingWindows'] | undefined): string {
  if (window === undefined) return 'At any hour.';
  const windows = [window].flat();
  const dates = new Set(windows.flatMap(({ except = [] }) => except));
  const closed = dates.size === 0 ? [] : [`Not on ${listed([...dates].sort())}.`];
  return [...windows.map(hoursSaid), ...closed].join(' ');
}

function hoursSaid({ from, until, daysOfWeek, timezone }: Schemas['CallingWindow']): string {
  const on = daysOfWeek.length === 7 ? 'every day' : listed(daysOfWeek.map((day) => dayNames[day - 1] ?? String(day)));
  return `${from} to ${until}, ${on}, ${timezone === 'recipient' ? 'by the clock of each callee' : `in ${timezone}`}.`;
}
