import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { dayOfCallee } from '../../domain/account/guardrails.js';

/** Zones that change their clocks at midnight or beside it, by an hour or by half of one, and others. */
const zones = fc.uniqueArray(
  fc.constantFrom(
    'America/Havana',
    'Africa/Cairo',
    'Asia/Beirut',
    'America/Santiago',
    'Atlantic/Azores',
    'America/Nuuk',
    'Africa/Casablanca',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Europe/Berlin',
  ),
  { minLength: 1, maxLength: 3 },
);

/** Days begin on quarters of an hour, whatever the zone. */
const quarterMs = 900_000;

/** Midnights around which one of the zones changes its clocks, and any other instant. */
const instants = fc
  .oneof(
    fc
      .record({
        change: fc.constantFrom(
          ...['2026-10-25T01:00Z', '2026-11-01T05:00Z', '2027-03-14T05:00Z', '2027-03-27T22:00Z', '2027-03-28T01:00Z'],
          ...['2027-04-03T15:00Z', '2027-04-04T03:00Z', '2027-04-29T22:00Z', '2027-09-05T04:00Z', '2027-10-28T21:00Z'],
        ),
        quarters: fc.integer({ min: -130, max: 130 }),
      })
      .map(({ change, quarters }) => Date.parse(change) + quarters * quarterMs),
    fc
      .integer({ min: Date.parse('2026-01-01') / quarterMs, max: Date.parse('2030-01-01') / quarterMs })
      .map((quarters) => quarters * quarterMs),
  )
  .map((ms) => new Date(ms));

const dateIn = (zone: string, ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString();

/** The first quarter of an hour at which one of the zones shows the date that it shows at an instant, going back from there. */
function beginsByCalendars(names: readonly string[], at: Date): number {
  const first = (zone: string): number => {
    const today = dateIn(zone, at.getTime());
    let begins = at.getTime();
    for (let ms = begins; ms > at.getTime() - 27 * 4 * quarterMs; ms -= quarterMs) {
      if (dateIn(zone, ms) === today) begins = ms;
    }
    return begins;
  };
  return Math.min(...names.map(first));
}

function endsByCalendars(names: readonly string[], at: Date): number {
  const today = new Map(names.map((zone) => [zone, dateIn(zone, at.getTime())]));
  let ms = at.getTime();
  while (names.every((zone) => dateIn(zone, ms) <= (today.get(zone) ?? ''))) ms += quarterMs;
  return ms;
}

test('the day of a callee is that of the calendars of their zones, quarter by quarter of an hour, also where clocks change at midnight', () => {
  fc.assert(
    fc.property(zones, instants, (names, at) => {
      const { since, until } = dayOfCallee(names, at);
      expect(since.getTime()).toBe(beginsByCalendars(names, at));
      expect(until.getTime()).toBe(endsByCalendars(names, at));
    }),
    { numRuns: 100 },
  );
});
