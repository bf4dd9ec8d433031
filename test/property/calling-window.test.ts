import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  daysSearched,
  type DatedWindow,
  nextOpening,
  searchedUntilMs,
  type WeeklyWindow,
} from '../../domain/call/calling-window.js';
import { dayAfter, instants, lists, someZones, windows } from './random-windows.js';

/** What the words say, read off a calendar and a clock. */
function isOpen(window: WeeklyWindow, zone: string, at: Date): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const opensOn = (date: Temporal.PlainDateTime) => window.daysOfWeek.includes(date.dayOfWeek);
  if (window.from < window.until) return opensOn(local) && window.from <= time && time < window.until;
  return (opensOn(local) && time >= window.from) || (opensOn(local.subtract({ days: 1 })) && time < window.until);
}

const isOpenInAll = (window: WeeklyWindow, names: readonly string[], at: Date): boolean =>
  names.every((zone) => isOpen(window, zone, at));

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

/** What the words say of a list: any window is open in each zone, and none that opened on an excepted date. */
function isListOpen(list: readonly DatedWindow[], names: readonly string[], at: Date): boolean {
  const excepted = new Set(list.flatMap(({ except = [] }) => except));
  const isOneOpen = (window: DatedWindow, zone: string): boolean => {
    const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime();
    const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
    const opensOn = (date: Temporal.PlainDate) =>
      window.daysOfWeek.includes(date.dayOfWeek) && !excepted.has(date.toString());
    const today = local.toPlainDate();
    if (window.from < window.until) return opensOn(today) && window.from <= time && time < window.until;
    return (opensOn(today) && time >= window.from) || (opensOn(today.subtract({ days: 1 })) && time < window.until);
  };
  return names.every((zone) =>
    list.some((window) => isOneOpen(window, window.timezone === 'recipient' ? zone : window.timezone)),
  );
}

// shows: window.list
test('a list is open whenever any of its windows is, and never by one that would open on an excepted date', () => {
  fc.assert(
    fc.property(lists, someZones, instants, fc.nat(1_000_000), (made, names, from, salt) => {
      const list = made(from);
      const opening = nextOpening(list, names, from);
      const until = opening?.opensAt.getTime() ?? searchedUntilMs(list, from.getTime());
      const before = plus(from, Math.floor(((until - from.getTime()) * salt) / 1_000_001));
      expect(before.getTime() < until && isListOpen(list.windows, names, before)).toBe(false);
      if (opening === null) return;
      const { opensAt, closesAt } = opening;
      const within = plus(opensAt, Math.floor(((closesAt.getTime() - opensAt.getTime()) * salt) / 1_000_001));
      for (const at of [opensAt, within, plus(closesAt, -1)]) expect(isListOpen(list.windows, names, at)).toBe(true);
      if (opensAt > from) expect(isListOpen(list.windows, names, plus(opensAt, -1))).toBe(false);
      if (closesAt.getTime() < searchedUntilMs(list, from.getTime())) {
        expect(isListOpen(list.windows, names, closesAt)).toBe(false);
      }
      expect(nextOpening(list, names, within)).toEqual({ opensAt: within, closesAt });
    }),
    { numRuns: 500 },
  );
});

test('minute by minute over four days, a list is open exactly when its words say so', () => {
  fc.assert(
    fc.property(lists, someZones, instants, (made, names, around) => {
      const from = new Date(Math.floor(around.getTime() / 60_000) * 60_000);
      const list = made(from);
      for (let minute = 0; minute < 4 * 1440; minute += 7) {
        const at = plus(from, minute * 60_000);
        const isOpen = nextOpening(list, names, at)?.opensAt.getTime() === at.getTime();
        if (isOpen !== isListOpen(list.windows, names, at)) expect.fail(`${at.toISOString()}: ${JSON.stringify(list)}`);
      }
    }),
    { numRuns: 8 },
  );
});

test('a year of excepted days of a weekly window puts off its opening, and is not taken for a window that never opens', () => {
  const mondays = Array.from({ length: 366 }, (_, week) => dayAfter('2026-11-23', week * 7));
  const window: DatedWindow = { from: '09:00', until: '10:00', daysOfWeek: [1], timezone: 'UTC', except: mondays };
  const opening = nextOpening({ timezone: 'UTC', window }, ['UTC'], new Date('2026-11-20T00:00:00Z'));
  expect(opening?.opensAt.toISOString()).toBe(`${dayAfter('2026-11-23', 366 * 7)}T09:00:00.000Z`);
});
