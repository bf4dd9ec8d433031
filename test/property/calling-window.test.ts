import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { daysSearched, nextOpening, type CallingWindow } from '../../domain/call/calling-window.js';

const zones = [
  'UTC',
  'Asia/Calcutta',
  'Europe/Paris',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Havana', // changes its clocks at midnight
  'Africa/Casablanca',
  'Australia/Lord_Howe', // by half an hour
  'Pacific/Auckland',
  'Pacific/Apia',
];

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const windows: fc.Arbitrary<CallingWindow> = fc
  .record({
    from: fc.integer({ min: 0, max: 1439 }),
    until: fc.integer({ min: 1, max: 1440 }),
    daysOfWeek: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  })
  .filter(({ from, until }) => from !== until)
  .map(({ from, until, daysOfWeek }) => ({
    from: clock(from),
    until: clock(until),
    daysOfWeek,
    timezone: 'recipient',
  }));

// Around the changes of clocks as often as on other days.
const instants = fc
  .oneof(
    fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2030-01-01') }),
    fc
      .record({
        change: fc.constantFrom('2026-03-08T07:00Z', '2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-01T05:00Z'),
        minutes: fc.integer({ min: -3000, max: 3000 }),
      })
      .map(({ change, minutes }) => Date.parse(change) + minutes * 60_000),
  )
  .map((ms) => new Date(ms));

/** What the words say, read off a calendar and a clock. */
function isOpen(window: CallingWindow, zone: string, at: Date): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const opensOn = (date: Temporal.PlainDateTime) => window.daysOfWeek.includes(date.dayOfWeek);
  if (window.from < window.until) return opensOn(local) && window.from <= time && time < window.until;
  return (opensOn(local) && time >= window.from) || (opensOn(local.subtract({ days: 1 })) && time < window.until);
}

const isOpenInAll = (window: CallingWindow, names: readonly string[], at: Date): boolean =>
  names.every((zone) => isOpen(window, zone, at));

const someZones = fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 3 });
const plus = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

test('it is open from the opening until the close, by the clock of every zone, and not just before or after', () => {
  fc.assert(
    fc.property(windows, someZones, instants, (window, names, from) => {
      const opening = nextOpening(window, names, from);
      if (opening === null) return;
      const { opensAt, closesAt } = opening;
      expect(opensAt.getTime()).toBeGreaterThanOrEqual(from.getTime());
      expect(isOpenInAll(window, names, opensAt)).toBe(true);
      expect(isOpenInAll(window, names, plus(closesAt, -1))).toBe(true);
      if (opensAt > from) expect(isOpenInAll(window, names, plus(opensAt, -1))).toBe(false);
      if (closesAt.getTime() < from.getTime() + daysSearched * 86_400_000) {
        expect(isOpenInAll(window, names, closesAt)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

test('no opening is passed over, and none is missed in the middle', () => {
  fc.assert(
    fc.property(windows, someZones, instants, fc.nat(1_000_000), (window, names, from, salt) => {
      const opening = nextOpening(window, names, from);
      const until = opening?.opensAt.getTime() ?? from.getTime() + daysSearched * 86_400_000;
      const before = plus(from, Math.floor(((until - from.getTime()) * salt) / 1_000_001));
      expect(before.getTime() < until && isOpenInAll(window, names, before)).toBe(false);
      if (opening === null) return;
      const within = plus(
        opening.opensAt,
        Math.floor(((opening.closesAt.getTime() - opening.opensAt.getTime()) * salt) / 1_000_001),
      );
      expect(isOpenInAll(window, names, within)).toBe(true);
      expect(nextOpening(window, names, within)).toEqual({ opensAt: within, closesAt: opening.closesAt });
    }),
    { numRuns: 500 },
  );
});
