import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { DatedWindow, WeeklyWindow } from '../../domain/call/calling-window.js';

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

export const windows: fc.Arbitrary<WeeklyWindow> = fc
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

/** Around the changes of clocks as often as on other days. */
export const instants = fc
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

export const someZones = fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 3 });

export const dayAfter = (date: string, days: number): string => Temporal.PlainDate.from(date).add({ days }).toString();

/** Lists around a day, with windows of the callee's clock and of one zone, that overlap, touch, cross midnight and except dates. */
export const lists = fc
  .array(
    fc.record({
      window: windows,
      zone: fc.option(fc.constantFrom(...zones), { freq: 3 }),
      excepted: fc.uniqueArray(fc.integer({ min: -3, max: 70 }), { maxLength: 40 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => (from: Date): { timezone: string; windows: DatedWindow[] } => {
    const today = from.toISOString().slice(0, 10);
    const made = parts.map(({ window, zone, excepted }) => ({
      ...window,
      timezone: zone ?? 'recipient',
      except: excepted.map((days) => dayAfter(today, days)),
    }));
    return { timezone: made.some(({ timezone }) => timezone === 'recipient') ? 'recipient' : 'UTC', windows: made };
  });
