import { Cron } from 'croner';

const example = '0 9 * * 1-5';
/** What both the parser and Temporal read alike: no seconds, no years, no `L`, `W`, `#`, `?` and no `@daily`. */
const characters = /^(?:[\d\s*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)+$/i;
/** For Temporal `sun` begins the week. */
const untilSunday = /(?:[1-7]|mon|tue|wed|thu|fri|sat)-sun/i;

/**
 * What is wrong with a cron expression of five fields, in words for the client; null if Temporal's schedule can follow it.
 */
export function cronProblem(cron: string): string | null {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) {
    return `must have five fields, minute, hour, day of the month, month, day of the week, such as ${example}; it has ${fields.length}`;
  }
  if (!characters.test(cron)) return `may hold digits, names of months and days, and * , - / alone, such as ${example}`;
  if (untilSunday.test(fields[4] ?? '')) return 'must end a range of days with 7 instead of sun, such as 0 9 * * 5-7';
  try {
    // A day of the month and a day of the week must both hold, as in Temporal.
    const parsed = new Cron(cron, { mode: '5-part', domAndDow: true, timezone: 'UTC', paused: true });
    return parsed.nextRun() === null ? 'names a time that never comes' : null;
  } catch (error) {
    const words = error instanceof Error ? error.message.replace(/^Cron\w*: /, '') : 'it cannot be read';
    return `must be a cron expression such as ${example}: ${words}`;
  }
}
