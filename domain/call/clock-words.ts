import { Temporal } from 'temporal-polyfill';

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];
const two = (value: number): string => String(value).padStart(2, '0');

/** From so many days on a date has its year: without it, it would be taken for that of the year before. */
const daysOfOneYear = 330;

/**
 * `09:00 in Chicago`, with the day if it is not today there: `09:00 on Tuesday`, `09:00 on 3 March` after a week, and with the year
 * once that might be another one.
 */
export function clockWords(instant: Date, zone: string, now: Date): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const away = today.until(at.toPlainDate()).days;
  const time = `${two(at.hour)}:${two(at.minute)}`;
  const day =
    away === 0
      ? ''
      : away > 0 && away < 7
        ? ` on ${days[at.dayOfWeek - 1] ?? ''}`
        : ` on ${at.day} ${months[at.month - 1] ?? ''}${Math.abs(away) < daysOfOneYear ? '' : ` ${at.year}`}`;
  return `${time}${placeOf(zone)}${day}`;
}

/** ` in Chicago` for America/Chicago; a zone that is no place is named as it is. */
function placeOf(zone: string): string {
  const city = zone.includes('/') && !zone.startsWith('Etc/') ? zone.split('/').at(-1) : undefined;
  return city === undefined ? ` ${zone}` : ` in ${city.replaceAll('_', ' ')}`;
}
