import { Temporal } from 'temporal-polyfill';
import { canonicalZone, zoneProblem } from '../domain/call/time-zone.js';
import { wrongUsage } from './client/exit-codes.js';

/** A time as the command line says it: what a clock shows, and which clock that is. */
interface Moment {
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM:SS, with a fraction if there is one. */
  readonly time: string;
  /** `Z` or an offset, the name of a zone, or undefined: the clock of this machine. */
  readonly zone: string | undefined;
}

const shape =
  /^(\d{4}-\d\d-\d\d)[T ](\d{1,2}:\d\d)(?::(\d\d(?:\.\d{1,9})?))?\s*(Z|[+-]\d\d:?\d\d|[A-Za-z][\w+\-/]*)?$/i;
const offset = /^(?:Z|[+-]\d\d:?\d\d)$/i;
const examples = '"2027-01-31 09:30", "2027-01-31 09:30 Europe/Paris" or 2027-01-31T09:30:00Z';

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

function momentOf(text: string): Moment | null {
  const [, date, clock, seconds = '00', zone] = shape.exec(text.trim()) ?? [];
  return date === undefined || clock === undefined
    ? null
    : { date, time: `${clock.padStart(5, '0')}:${seconds}`, zone };
}

function instantAt({ date, time, zone = zoneHere() }: Moment, option: string): Temporal.Instant {
  const wrong = `${option}: ${date} ${time} is no date and time`;
  const found = ((): Temporal.Instant | string => {
    try {
      if (offset.test(zone)) return Temporal.Instant.from(`${date}T${time}${zone}`);
      const wanted = Temporal.PlainDateTime.from(`${date}T${time}`);
      if (canonicalZone(zone) === null) return `${option}: the time zone ${zoneProblem(zone) ?? ''}.`;
      const at = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
      // Clocks that go forward skip times; Temporal would take the hour before.
      return at.toPlainDateTime().equals(wanted)
        ? at.toInstant()
        : `${wrong} in ${zone}, where clocks go forward past it.`;
    } catch (error) {
      if (error instanceof RangeError) return `${wrong}.`;
      throw error;
    }
  })();
  if (typeof found === 'string') throw wrongUsage(found);
  return found;
}

/**
 * The instant that a time on the command line names: with an offset (ISO 8601), with a time zone behind it, or by the clock of
 * this machine.
 *
 * @param option the option that says it, for the error
 * @throws CommandFailed
 */
export function instantOf(text: string, option: string): Date {
  const moment = momentOf(text);
  if (moment === null) throw wrongUsage(`${option}: a date and time such as ${examples}.`);
  return new Date(instantAt(moment, option).epochMilliseconds);
}

/** The same of a time that has passed. @throws CommandFailed */
export function pastInstantOf(text: string, option: string): Date {
  const at = instantOf(text, option);
  if (at.getTime() > Date.now()) throw wrongUsage(`${option}: ${at.toISOString()} lies in the future.`);
  return at;
}

/**
 * A time in one of these forms as an instant, or a day as it is.
 *
 * @throws CommandFailed
 */
export function instantOrDay(text: string, option: string): string {
  const day = text.trim();
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) {
    if (momentOf(text) === null)
      throw wrongUsage(`${option}: a day such as 2027-01-31, or a date and time such as ${examples}.`);
    return instantOf(text, option).toISOString();
  }
  // A day that a month has not got would be refused in other words, or taken for one of the next month.
  instantAt({ date: day, time: '00:00:00', zone: 'Z' }, option);
  return day;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * How far back (`30m`, `12h`, `7d`), or a time in one of these forms, or a day (UTC).
 *
 * @throws CommandFailed
 */
export function sinceOf(text: string, option: string): Date {
  const [, amount, unit = ''] = /^\s*([1-9]\d{0,5})([smhd])\s*$/.exec(text) ?? [];
  const factor = unitMs[unit];
  if (amount !== undefined && factor !== undefined) return new Date(Date.now() - Number(amount) * factor);
  if (!/^\s*\d{4}-/.test(text)) {
    throw wrongUsage(`${option}: how far back, such as 30m, 12h or 7d, or since when, such as ${examples}.`);
  }
  return new Date(instantOrDay(text, option));
}

/**
 * A time in one of these forms as the field `schedule`, in its own zone: a list shows it as it was said.
 *
 * @throws CommandFailed
 */
export function scheduledAt(text: string, option: string): { date: string; time: string; timezone: string } {
  const moment = momentOf(text);
  if (moment === null) throw wrongUsage(`${option}: a date and time such as ${examples}.`);
  const at = instantAt(moment, option);
  if (at.epochMilliseconds % 60_000 !== 0)
    throw wrongUsage(`${option}: whole minutes, such as ${moment.time.slice(0, 5)}.`);
  const { zone = zoneHere() } = moment;
  const timezone = offset.test(zone) ? 'UTC' : zone;
  const local = at.toZonedDateTimeISO(timezone).toPlainDateTime();
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
    timezone,
  };
}
