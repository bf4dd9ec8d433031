import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { startOf } from '../../domain/batch/schedule.js';

const zones = [
  'UTC',
  'Asia/Calcutta',
  'Europe/Paris',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Auckland',
];

const nows = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2034-01-01') }).map((ms) => new Date(ms));

const words = (local: Temporal.PlainDateTime) => ({
  date: local.toPlainDate().toString(),
  time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
});

test('an instant of the coming year, written as the zone shows it, is read back as that instant or its earlier twin', () => {
  fc.assert(
    fc.property(
      nows,
      fc.constantFrom(...zones),
      fc.integer({ min: 120, max: 364 * 1440 }),
      (now, timezone, minutes) => {
        const ms = Math.floor(now.getTime() / 60_000 + minutes) * 60_000;
        const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime();
        const read = startOf({ ...words(local), timezone }, now);
        expect(read).toHaveProperty('start');
        if (!('start' in read)) return;
        const back = read.start.startsAt.getTime();
        const shown = Temporal.Instant.fromEpochMilliseconds(back).toZonedDateTimeISO(timezone).toPlainDateTime();
        expect(words(shown)).toEqual(words(local));
        expect(back).toBeLessThanOrEqual(ms);
        expect(ms - back).toBeLessThanOrEqual(3_600_000);
      },
    ),
    { numRuns: 300 },
  );
});

// shows: schedule.gap
test('near a change of clocks, a time is refused exactly if no instant of the zone shows it', () => {
  const changes = [
    ['Europe/Paris', '2027-03-28T01:00Z'],
    ['America/New_York', '2027-03-14T07:00Z'],
    ['America/Havana', '2027-03-14T05:00Z'],
    ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
    ['Europe/Paris', '2027-10-31T01:00Z'],
  ] as const;
  const now = new Date('2026-12-01T00:00:00Z');
  fc.assert(
    fc.property(fc.constantFrom(...changes), fc.integer({ min: -180, max: 180 }), ([timezone, change], minutes) => {
      const at = Temporal.Instant.from(change);
      // The minutes that the clocks would have shown, had they not been changed.
      const unchanged = at.subtract({ minutes: 1 }).toZonedDateTimeISO(timezone).toPlainDateTime().add({ minutes });
      const shown = Array.from({ length: 600 }, (_, index) =>
        at
          .add({ minutes: index - 300 })
          .toZonedDateTimeISO(timezone)
          .toPlainDateTime(),
      ).some((local) => local.equals(unchanged));
      expect('start' in startOf({ ...words(unchanged), timezone }, now)).toBe(shown);
    }),
    { numRuns: 60 },
  );
});
